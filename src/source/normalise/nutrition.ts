import type { NutritionValue } from '../../base/model/index.ts';
import { timesDecimal } from './decimal.ts';
import { readColumns } from './nutrition-columns.ts';
import { readEnergy } from './nutrition-energy.ts';
import { nutrientOf, unitFromName } from './nutrition-names.ts';
import { readQuantity } from './nutrition-quantity.ts';

/**
 * Parses a nutrition table in either form, `{name, perComp, perServing, …}` or `{name, value1, value2, value3}`, to
 * one value per nutrient and column. The header row names the columns; without it the basis is `unknown`. Footnotes,
 * intake percentages and cells without an amount are skipped; the first of two rows for a nutrient counts. Never
 * throws.
 */
export function readNutrition(table: unknown): readonly NutritionValue[] {
  const { columns, rows } = readColumns(table);
  const found = new Map<string, NutritionValue>();
  const keep = (value: NutritionValue) => {
    const key = `${value.nutrient}|${value.basis}`;
    if (!found.has(key)) found.set(key, value);
  };
  for (const column of columns) {
    for (const value of readEnergy(rows, column)) keep(value);
    for (const row of rows) {
      const value = readRow(row.name, row.cells[column.index] ?? null, column.basis);
      if (value !== null) keep(value);
    }
  }
  for (const value of [...found.values()]) {
    const salt = value.nutrient === 'sodium' ? saltFromSodium(value) : null;
    if (salt !== null) keep(salt);
  }
  return [...found.values()];
}

function readRow(name: string, cell: string | null, basis: string): NutritionValue | null {
  const nutrient = nutrientOf(name);
  if (nutrient === null || cell === null) return null;
  const quantity = readQuantity(cell, nutrient, unitFromName(name));
  if (quantity === null) return null;
  return {
    nutrient,
    basis,
    amount: quantity.amount,
    unit: quantity.unit ?? 'unknown',
    isUpperBound: quantity.isUpperBound,
    printed: cell,
  };
}

/** Salt is sodium times 2.5 (Regulation (EU) 1169/2011, annex I, point 11); used only if the table has no salt. */
function saltFromSodium(sodium: NutritionValue): NutritionValue | null {
  const saltInGrams = { g: '2.5', mg: '0.0025' }[sodium.unit as string];
  if (saltInGrams === undefined) return null;
  return { ...sodium, nutrient: 'salt', amount: timesDecimal(sodium.amount, saltInGrams), unit: 'g' };
}

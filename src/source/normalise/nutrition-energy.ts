import type { NutritionValue } from '../../base/model/index.ts';
import { canonicalDecimal, type Decimal } from './decimal.ts';
import type { NutritionColumn, NutritionRow } from './nutrition-columns.ts';
import { isFootnote } from './nutrition-names.ts';

/**
 * Energy of one column in kJ and kcal, however it is printed: `1506kJ/360kcal`, `2506/603 kJ/kcal`, `Energy (KCAL)` =
 * `360`, or in two rows, the second named `-`. Where both are given and contradict each other (1 kcal is 4.184 kJ)
 * neither unit is believed: `unknown`.
 */
export function readEnergy(rows: readonly NutritionRow[], column: NutritionColumn): readonly NutritionValue[] {
  const found = new Map<'kJ' | 'kcal', NutritionValue>();
  let isBelowEnergy = false;
  for (const row of rows) {
    const isEnergy =
      /^\W*(?:of which )?(?:energy|calories|kcals?\b|kjs?\b|kilo(?:joules|calories))/i.test(row.name) &&
      !isFootnote(row.name);
    const isContinuation: boolean = isBelowEnergy && !/\p{L}/u.test(row.name);
    isBelowEnergy = isEnergy || isContinuation;
    const cell = row.cells[column.index] ?? null;
    if (!isBelowEnergy || cell === null) continue;
    for (const { amount, unit, isUpperBound } of energiesIn(cell, row.name)) {
      if (found.has(unit)) continue;
      const nutrient = unit === 'kJ' ? 'energy-kj' : 'energy-kcal';
      found.set(unit, { nutrient, basis: column.basis, amount, unit, isUpperBound, printed: cell });
    }
  }
  const values = [...found.values()];
  return agree(found.get('kJ'), found.get('kcal'))
    ? values
    : values.map((value) => ({ ...value, unit: 'unknown' as const }));
}

interface Energy {
  readonly amount: Decimal;
  readonly unit: 'kJ' | 'kcal';
  readonly isUpperBound: boolean;
}

// A number with thousands separators or a decimal part, and the unit right behind it.
const numberPattern =
  /(<\s?)?(\d{1,3}(?:[ ,]\d{3})+(?:\.\d{1,3})?|\d{1,6}(?:[.,]\d{1,3})?)\s?(kj|kcals?|cals?|calories|kilojoules|kilocalories)?/g;

function energiesIn(cell: string, name: string): readonly Energy[] {
  // What is in brackets is a share (`824 kJ (10%*)`) unless it is an energy itself (`824kJ (197kcal)`).
  const text = cell
    .toLowerCase()
    .replace(/\([^()]*%[^()]*\)?/g, ' ')
    .replace(/\d+(?:\.\d+)?\s?%/g, ' ');
  const numbers = [...text.matchAll(numberPattern)];
  const amounts = numbers.map((match) => decimalOf(match[2] ?? ''));
  const units = unitsOf(numbers, text, name.toLowerCase()) ?? unitsByRatio(amounts);
  return numbers.flatMap((match, index) => {
    const [amount, unit] = [amounts[index] ?? null, units?.[index]];
    const isCredible = amount !== null && Number(amount) <= mostEnergy;
    return unit === undefined || !isCredible ? [] : [{ amount, unit, isUpperBound: match[1] !== undefined }];
  });
}

type EnergyUnit = Energy['unit'];

/**
 * A unit for every number, from behind each of them, from the cell or from the row's name; null when they do not match
 * up.
 */
function unitsOf(numbers: readonly RegExpMatchArray[], text: string, name: string): readonly EnergyUnit[] | null {
  if (numbers.every((match) => match[3] !== undefined)) return numbers.map((match) => kindOf(match[3] ?? ''));
  for (const source of [text, name]) {
    const named = [...source.matchAll(/kj|kcal|kilojoules|kilocalories|calories|cals?\b/g)].map((match) =>
      kindOf(match[0]),
    );
    if (named.length === numbers.length) return named;
  }
  return null;
}

/** `1506/360` without any unit: the ratio tells which is which. */
function unitsByRatio(amounts: readonly (Decimal | null)[]): readonly EnergyUnit[] | null {
  const [first, second] = amounts.map(Number);
  if (amounts.length !== 2 || first === undefined || second === undefined || first < 50 || second < 50) return null;
  if (isSameEnergy(first, second)) return ['kJ', 'kcal'];
  return isSameEnergy(second, first) ? ['kcal', 'kJ'] : null;
}

/** A kilogram of pure fat has 37,000 kJ; what is above this was glued together from two numbers. */
const mostEnergy = 40_000;

function kindOf(unit: string): EnergyUnit {
  return unit.startsWith('kj') || unit.startsWith('kiloj') ? 'kJ' : 'kcal';
}

/** Energy is printed in whole numbers of up to four digits: `1,506` is a thousand, `152,5` a half. */
function decimalOf(digits: string): Decimal | null {
  if (/^\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?$/.test(digits)) return canonicalDecimal(digits.replace(/[ ,]/g, ''));
  return canonicalDecimal(digits.replace(',', '.'));
}

function agree(kj: NutritionValue | undefined, kcal: NutritionValue | undefined): boolean {
  return kj === undefined || kcal === undefined || isSameEnergy(Number(kj.amount), Number(kcal.amount));
}

/**
 * Conversion factors differ by nutrient (fibre 4.0, fat 4.11, carbohydrate 4.25, alcohol 4.14) and both are rounded.
 */
function isSameEnergy(kj: number, kcal: number): boolean {
  return Math.abs(kj - kcal * 4.184) <= Math.max(15, kj * 0.12);
}

import type { NutritionValue } from '../../base/model/index.ts';
import { canonicalDecimal, type Decimal } from './decimal.ts';
import type { NutritionColumn, NutritionRow } from './nutrition-columns.ts';
import { isFootnote } from './nutrition-names.ts';
import { pattern } from './pattern.ts';

/**
 * Energy of a column in kJ and kcal in all printed forms: `1506kJ/360kcal`, `2506/603 kJ/kcal`, `Energy (KCAL)` =
 * `360`, or two rows, the second named `-`. If both are given but contradict each other (1 kcal is 4.184 kJ), the units
 * are `unknown`.
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

// A number with thousands separators or decimals, followed by an optional unit.
const numberPattern = new RegExp(
  pattern`
    (<\s?)?(\d{1,3}(?:[ ,]\d{3})+(?:\.\d{1,3})?|\d{1,6}(?:[.,]\d{1,3})?)\s?
    (kj|kcals?|cals?|calories|kilojoules|kilocalories)?`,
  'g',
);

function energiesIn(cell: string, name: string): readonly Energy[] {
  // Text in brackets is a percentage (`824 kJ (10%*)`) unless it is an energy (`824kJ (197kcal)`).
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

/** Unit of each number: directly after it, from the cell or from the row's name; null if they do not match. */
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

/** Units of `1506/360` by their ratio. */
function unitsByRatio(amounts: readonly (Decimal | null)[]): readonly EnergyUnit[] | null {
  const [first, second] = amounts.map(Number);
  if (amounts.length !== 2 || first === undefined || second === undefined || first < 50 || second < 50) return null;
  if (isSameEnergy(first, second)) return ['kJ', 'kcal'];
  return isSameEnergy(second, first) ? ['kcal', 'kJ'] : null;
}

/** Pure fat has 37,000 kJ per kilogram; larger values are two concatenated numbers. */
const mostEnergy = 40_000;

function kindOf(unit: string): EnergyUnit {
  return unit.startsWith('kj') || unit.startsWith('kiloj') ? 'kJ' : 'kcal';
}

/** Energy has up to four integer digits, so `1,506` has a thousands separator and `152,5` a decimal comma. */
function decimalOf(digits: string): Decimal | null {
  if (/^\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?$/.test(digits)) return canonicalDecimal(digits.replace(/[ ,]/g, ''));
  return canonicalDecimal(digits.replace(',', '.'));
}

function agree(kj: NutritionValue | undefined, kcal: NutritionValue | undefined): boolean {
  return kj === undefined || kcal === undefined || isSameEnergy(Number(kj.amount), Number(kcal.amount));
}

/**
 * Tolerance: conversion factors vary by nutrient (fibre 4.0, fat 4.11, carbohydrate 4.25, alcohol 4.14), and both
 * values are rounded.
 */
function isSameEnergy(kj: number, kcal: number): boolean {
  return Math.abs(kj - kcal * 4.184) <= Math.max(15, kj * 0.12);
}

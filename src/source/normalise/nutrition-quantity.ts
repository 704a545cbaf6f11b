import { canonicalDecimal, type Decimal } from './decimal.ts';
import { pattern } from './pattern.ts';

export interface Quantity {
  readonly amount: Decimal;
  /** Null: neither the cell nor the row's name has a unit. */
  readonly unit: 'g' | 'mg' | 'µg' | 'IU' | null;
  readonly isUpperBound: boolean;
}

// The text after the amount must not change it: a range, a percentage, more digits or an unknown unit.
const quantity = new RegExp(
  '^[(~≈]*\\s?(<=?|≤|⩽|less than|under|up to)?\\s?(\\d[\\d.,]{0,11}|\\.\\d{1,6})(?![\\d.,])' +
    pattern`
      (?:\s?(mg|mcg|[µμ]g|ug|grams?|g|iu|i\.u\.)(?![\d%a-z-]|/(?!\s?\d{1,3}\s?%)|\s?[-–]\s?\d)
      |(?![%/a-z-]|\s?%|\s?[-–]\s?\d|\s?[.,]?\d|\s(?:mg|mcg|[µμ]g|ug|g|iu)))` +
    '(\\s?(or less|max(?:imum)?)\\b)?',
);

/** Parses cells such as `12,5 g`, `<0.5g`, `trace`, `780mg (=98% NRV*)`, `3.4 g*`; null if there is no amount. */
export function readQuantity(cell: string, nutrient: string, nameUnit: Quantity['unit'] = null): Quantity | null {
  const text = cell.toLowerCase();
  if (/^\W*traces?\b/.test(text)) return readTrace(nutrient);
  if (/^\W*nil\b/.test(text)) return { amount: '0', unit: 'g', isUpperBound: false };
  const match = quantity.exec(text);
  if (match === null) return null;
  const [, bound, digits = '', unit, , orLess] = match;
  const amount = decimalOf(digits, unitOf(unit) ?? nameUnit);
  if (amount === null) return null;
  return { amount, unit: unitOf(unit) ?? nameUnit, isUpperBound: bound !== undefined || orLess !== undefined };
}

/**
 * Upper bounds for "trace": thresholds of the European Commission's guidance on tolerances (December 2012, section 6).
 * Traces of other nutrients are ignored.
 */
const traces: Readonly<Record<string, Decimal>> = {
  fat: '0.5',
  saturates: '0.1',
  carbohydrate: '0.5',
  sugars: '0.5',
  fibre: '0.5',
  protein: '0.5',
  sodium: '0.005',
  salt: '0.0125',
};

function readTrace(nutrient: string): Quantity | null {
  const bound = traces[nutrient];
  return bound === undefined ? null : { amount: bound, unit: 'g', isUpperBound: true };
}

function unitOf(printed: string | undefined): Quantity['unit'] {
  if (printed === undefined) return null;
  if (printed.startsWith('g')) return 'g';
  if (printed.startsWith('i')) return 'IU';
  return printed === 'mg' ? 'mg' : 'µg';
}

/** A comma is a decimal comma, except before groups of three digits (`1,250.5`, `1,250mg`). */
function decimalOf(digits: string, unit: Quantity['unit']): Decimal | null {
  const trimmed = digits.replace(/[.,]+$/, '').replace(/^\./, '0.');
  const isSmallUnit = unit === 'mg' || unit === 'µg';
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(trimmed) || (isSmallUnit && /^[1-9]\d{0,2}(?:,\d{3})+$/.test(trimmed)))
    return canonicalDecimal(trimmed.replaceAll(',', ''));
  return /^\d+(?:[.,]\d+)?$/.test(trimmed) ? canonicalDecimal(trimmed.replace(',', '.')) : null;
}

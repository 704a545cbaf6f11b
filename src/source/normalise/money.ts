import { canonicalDecimal, type Decimal, decimalFromNumber, scaledToWhole, timesDecimal } from './decimal.ts';

export type Currency = 'GBP' | 'EUR';

/** Ten million pounds or euros in minor units; fits a PostgreSQL integer. */
const maxMinor = 1_000_000_000;

/**
 * Amount of money in minor units (pence, cents): `5`, `5.56`, `"£1.10"`, `"€3,00"`, `"85p"`, `"1,234.50"`. Null if
 * missing, negative, above ten million or not an amount; also for 0, which upstreams send for "unknown". Fractions of a
 * penny are rounded half up.
 */
export function parseMoney(value: unknown): number | null {
  if (typeof value === 'number') return minorFromNumber(value);
  if (typeof value === 'string') return minorFromText(value);
  return null;
}

/** Exact decimal of a text such as `1,234.50`, `1.234,50`, `3,00` or `5.5`; null if it is not an amount. */
export function decimalFromAmount(text: string): Decimal | null {
  if (text.length > 24) return null;
  // Handles floating-point noise that was converted to text.
  if (/^\d*\.?\d+$/.test(text)) return canonicalDecimal(text) ?? decimalFromNumber(Number(text));
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return canonicalDecimal(text.replaceAll(',', ''));
  if (/^\d+,\d{1,2}$/.test(text)) return canonicalDecimal(text.replace(',', '.'));
  if (/^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(text)) {
    return canonicalDecimal(text.replaceAll('.', '').replace(',', '.'));
  }
  return null;
}

/** `33.3` pence or cents as an exact decimal in major units, `0.333`; null if it is not a plain decimal. */
export function decimalFromPence(pence: string): Decimal | null {
  const decimal = canonicalDecimal(pence);
  return decimal === null ? null : timesDecimal(decimal, '0.01');
}

/** Minor units of an exact decimal in major units; null if 0 or implausible. */
export function minorFromDecimal(decimal: Decimal): number | null {
  const minor = Number(scaledToWhole(decimal, 2));
  return minor > 0 && minor <= maxMinor ? minor : null;
}

function minorFromNumber(value: number): number | null {
  if (!(value > 0 && value <= maxMinor / 100)) return null;
  // Fast path without strings for whole pence: ignores floating-point noise.
  const product = value * 100;
  const nearest = Math.round(product);
  if (nearest > 0 && Math.abs(product - nearest) < 1e-6) return nearest;
  const decimal = decimalFromNumber(value);
  return decimal === null ? null : minorFromDecimal(decimal);
}

function minorFromText(text: string): number | null {
  const decimal = decimalFromText(text);
  return decimal === null ? null : minorFromDecimal(decimal);
}

/** Whether a text is an amount of money, including amounts that are not valid prices, such as `0.00`. */
export function isAmount(text: string): boolean {
  return decimalFromText(text) !== null;
}

function decimalFromText(text: string): Decimal | null {
  if (text.length > 64) return null;
  const compact = text.replace(/[\s\u00a0\u202f]+/g, '');
  const pence = /^(\d{1,7}(?:\.\d{1,4})?)[pc]$/i.exec(compact);
  if (pence !== null) return decimalFromPence(pence[1]!);
  return decimalFromAmount(compact.replace(/^(?:£|€|GBP|EUR)/i, '').replace(/(?:£|€|GBP|EUR)$/i, ''));
}

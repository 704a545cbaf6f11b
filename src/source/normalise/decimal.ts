/** An exact decimal as a canonical string: no sign, no exponent, no superfluous zeros. `7.2`, `0.05`, `1299`. */
export type Decimal = string;

/**
 * Canonical form of a plain decimal (`007.20` becomes `7.2`); null for other text, or more than 15 digits on either
 * side of the point.
 */
export function canonicalDecimal(text: string): Decimal | null {
  const match = /^0*(\d{0,15})(?:\.(\d{0,15}?)0*)?$/.exec(text);
  if (match === null || text === '' || text === '.') return null;
  const [, whole = '', fraction = ''] = match;
  return fraction === '' ? whole || '0' : `${whole || '0'}.${fraction}`;
}

/**
 * Decimal of a JSON number; null for negative numbers, NaN and infinities. Rounded to 15 significant digits, because
 * further digits are floating-point noise (7.199999999999999).
 */
export function decimalFromNumber(value: number): Decimal | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const shortest = String(value);
  if (shortest.length <= 15 && !shortest.includes('e')) return shortest;
  return canonicalDecimal(plain.format(Number(value.toPrecision(15))));
}

/** Without an exponent. */
const plain = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 15 });

/** Exact product of two decimals. */
export function timesDecimal(decimal: Decimal, other: Decimal): Decimal {
  const left = unscaled(decimal);
  const right = unscaled(other);
  return fromUnscaled(left.digits * right.digits, left.scale + right.scale);
}

/** `decimal` times 10^`places`, rounded to an integer, halves up. */
export function scaledToWhole(decimal: Decimal, places: number): bigint {
  const { digits, scale } = unscaled(decimal);
  if (scale <= places) return digits * 10n ** BigInt(places - scale);
  const divisor = 10n ** BigInt(scale - places);
  return (digits + divisor / 2n) / divisor;
}

function unscaled(decimal: Decimal): { digits: bigint; scale: number } {
  const point = decimal.indexOf('.');
  if (point < 0) return { digits: BigInt(decimal), scale: 0 };
  return { digits: BigInt(decimal.slice(0, point) + decimal.slice(point + 1)), scale: decimal.length - point - 1 };
}

function fromUnscaled(digits: bigint, scale: number): Decimal {
  const padded = digits.toString().padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale);
  const fraction = padded.slice(padded.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

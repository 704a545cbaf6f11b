/**
 * Normalises a barcode to 14 digits, zero padded, without spaces and hyphens. Numbers of 8, 12, 13 or 14 digits are
 * accepted as they are, because store-internal codes have no check digit; shorter numbers have lost leading zeros and
 * need a valid check digit. Null: not a barcode, or all zeros.
 */
export function normaliseGtin(value: unknown): string | null {
  const digits = digitsOf(typeof value === 'string' ? value.replace(/[\s-]+/g, '') : value);
  if (digits === null || digits.length > 14 || /^0+$/.test(digits)) return null;
  const isWhole = gtinLengths.has(digits.length) || (digits.length >= fewestDigits && hasCheckDigit(digits));
  return isWhole ? digits.padStart(14, '0') : null;
}

/** Whether a value is given but is not a barcode. Missing values, empty text and zeros are not. */
export function isUnreadableGtin(value: unknown): boolean {
  const isStated = value !== null && value !== undefined && !/^[\s0-]*$/.test(String(value));
  return isStated && normaliseGtin(value) === null;
}

/** Base product number without leading zeros; null if it is not a number or 0. */
export function normaliseTpnb(value: unknown): string | null {
  const digits = digitsOf(value);
  if (digits === null || digits.length > 20) return null;
  const stripped = digits.replace(/^0+/, '');
  return stripped === '' ? null : stripped;
}

const gtinLengths = new Set([8, 12, 13, 14]);
/** Minimum length for check digits: one in ten numbers is valid by chance, so shorter ones prove nothing. */
const fewestDigits = 6;

const hasCheckDigit = (digits: string): boolean => checkDigit(digits.slice(0, -1)) === digits.at(-1);

/**
 * GS1 check digit: digits weighted 3 and 1 alternately, 3 next to the check digit, complemented to a multiple of ten.
 */
export function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

function digitsOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  if (typeof value !== 'string') return null;
  const trimmed = value.trim();
  return /^\d+$/.test(trimmed) ? trimmed : null;
}

/**
 * A barcode as 14 digits, zero padded; null when it has not 8, 12, 13 or 14 digits or says nothing (all zeros).
 * The check digit is not verified: store-internal codes of loose goods carry none.
 */
export function normaliseGtin(value: unknown): string | null {
  const digits = digitsOf(value);
  if (digits === null || !gtinLengths.has(digits.length) || /^0+$/.test(digits)) return null;
  return digits.padStart(14, '0');
}

/** A base product number without leading zeros; null when it is not a number or 0. */
export function normaliseTpnb(value: unknown): string | null {
  const digits = digitsOf(value);
  if (digits === null || digits.length > 20) return null;
  const stripped = digits.replace(/^0+/, '');
  return stripped === '' ? null : stripped;
}

const gtinLengths = new Set([8, 12, 13, 14]);

function digitsOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  if (typeof value !== 'string') return null;
  const trimmed = value.trim();
  return /^\d+$/.test(trimmed) ? trimmed : null;
}

import { withPlaces } from '../../normalise/decimal.ts';

const symbols: Readonly<Record<string, string>> = { GBP: '£', EUR: '€' };

/** Pence and cents; no currency of ours has other digits. */
const places = 2;

/** `£1.20`, `-£1.20`, with every digit that the amount has; null where there is none. */
export function amount(value: unknown, currency: unknown): string | null {
  if (value === null || value === undefined) return null;
  const [, sign, digits] = /^(-?)(.*)$/.exec(withPlaces(String(value), places))!;
  const symbol = symbols[String(currency)];
  return symbol ? `${sign}${symbol}${digits}` : `${sign}${digits} ${currency}`;
}

/** `£2.57/litre`; null where there is none. */
export function unitAmount(value: unknown, unit: unknown, currency: unknown): string | null {
  const price = amount(value, currency);
  return price === null || unit === null || unit === undefined ? price : `${price}/${unit}`;
}

/** `+5.00 %`. */
export function share(percent: unknown): string | null {
  if (percent === null || percent === undefined) return null;
  return `${String(percent).startsWith('-') ? '' : '+'}${percent} %`;
}

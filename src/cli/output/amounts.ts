import { writtenAmount } from '../../source/normalise/written-amount.ts';

/** `£1.20`, `-£1.20`, with all digits of the amount; null if there is none. */
export function amount(value: unknown, currency: unknown): string | null {
  return value === null || value === undefined ? null : writtenAmount(String(value), currency, '-');
}

/** `£2.57/litre`; null if there is no price. */
export function unitAmount(value: unknown, unit: unknown, currency: unknown): string | null {
  const price = amount(value, currency);
  return price === null || unit === null || unit === undefined ? price : `${price}/${unit}`;
}

/** `+5.00 %`. */
export function share(percent: unknown): string | null {
  if (percent === null || percent === undefined) return null;
  return `${String(percent).startsWith('-') ? '' : '+'}${percent} %`;
}

import { withPlaces } from './decimal.ts';

const symbols: ReadonlyMap<unknown, string> = new Map([
  ['GBP', '£'],
  ['EUR', '€'],
]);

/** Pence and cents; no currency of ours has other digits. */
const places = 2;

/**
 * An exact decimal with its currency, as people read it: `£1.20`, `-€0.775`, `3.00 USD`; no digit is lost. `minus` is
 * what stands before an amount below nothing.
 */
export function writtenAmount(decimal: string, currency: unknown, minus: '-' | '−'): string {
  const isNegative = decimal.startsWith('-');
  const digits = withPlaces(isNegative ? decimal.slice(1) : decimal, places);
  const sign = isNegative && Number(decimal) !== 0 ? minus : '';
  const symbol = symbols.get(currency);
  return symbol === undefined ? `${sign}${digits} ${currency ?? ''}`.trim() : `${sign}${symbol}${digits}`;
}

import { withPlaces } from './decimal.ts';

const symbols: ReadonlyMap<unknown, string> = new Map([
  ['GBP', '£'],
  ['EUR', '€'],
]);

/** Decimal places of pounds and euros. */
const places = 2;

/**
 * Exact decimal with its currency: `£1.20`, `-€0.775`, `3.00 USD`; keeps all digits. `minus` is the sign of negative
 * amounts.
 */
export function writtenAmount(decimal: string, currency: unknown, minus: '-' | '−'): string {
  const isNegative = decimal.startsWith('-');
  const digits = withPlaces(isNegative ? decimal.slice(1) : decimal, places);
  const sign = isNegative && Number(decimal) !== 0 ? minus : '';
  const symbol = symbols.get(currency);
  return symbol === undefined ? `${sign}${digits} ${currency ?? ''}`.trim() : `${sign}${symbol}${digits}`;
}

import type { Column, Kind, Row } from '../questions/question.ts';
import { writtenAmount } from '../source/normalise/written-amount.ts';

/** Shown for missing values. */
export const nothing = '–';

const whole = new Intl.NumberFormat('en-GB');
const signed = new Intl.NumberFormat('en-GB', { signDisplay: 'exceptZero', maximumFractionDigits: 2 });

/** Formats a value for display. */
export function inWords(value: unknown, as: Kind | undefined, currency?: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  switch (as) {
    case 'number':
      return number(value);
    case 'money':
      return money(value, currency);
    case 'percent':
      return `${signed.format(Number(value)).replace('-', '−')} %`;
    case 'instant':
      return instant(value as Date);
    case 'yes-no':
      return value ? 'yes' : 'no';
    default:
      return text(value);
  }
}

/** Formats a column of a row for display. */
export function cellOf(row: Row, { name, as, currency = 'currency', or }: Column): string {
  return row[name] === null && or !== undefined
    ? unsnaked(inWords(row[or], 'text'))
    : inWords(row[name], as, row[currency]);
}

export function number(value: unknown): string {
  return whole.format(Number(value));
}

/** An amount with its currency, rounded to four decimals; at least two are shown. */
export function money(value: unknown, currency: unknown): string {
  if (value === null || value === undefined) return nothing;
  return exactMoney(Number(value).toFixed(4), currency);
}

/** An exact decimal with its currency; all digits of the upstream are kept. */
export function exactMoney(decimal: string, currency: unknown): string {
  return writtenAmount(decimal, currency, '−');
}

/** Rounded to the minute, in UTC, because pages show both regions side by side. */
export function instant(value: Date): string {
  return `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Foreign text without control characters that could reverse the direction of the text after it. */
export function text(value: unknown): string {
  return String(value).replace(/\p{Bidi_Control}/gu, '');
}

/** `complete_within_tolerance` becomes "complete within tolerance". */
export function unsnaked(word: string): string {
  return word.replaceAll('_', ' ');
}

import type { Column, Kind, Row } from '../questions/question.ts';
import { writtenAmount } from '../source/normalise/written-amount.ts';

/** Shown for missing values. */
export const nothing = '–';

const whole = new Intl.NumberFormat('en-GB');
const signed = new Intl.NumberFormat('en-GB', {
  signDisplay: 'exceptZero',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const months = 'January February March April May June July August September October November December'.split(' ');

/** Formats a value for display. */
export function inWords(value: unknown, as: Kind | undefined, currency?: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  switch (as) {
    case 'number':
    case 'decimal':
      return number(value);
    case 'money':
      return money(value, currency);
    case 'percent':
      return percent(value);
    case 'date':
      return shortDate(String(value));
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

/** `1 product`, `2,000 products`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** `+12.5%`, `−0.3%`, `0.0%`. */
export function percent(value: unknown): string {
  return `${signed.format(Number(value)).replace('-', '−')}%`;
}

/** `22%` or `6.5%`: a size without a direction. */
export function share(value: unknown): string {
  const size = Math.abs(Number(value));
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)}%`;
}

/** `25 November 2026` of a date such as `2026-11-25`. */
export function longDate(date: string): string {
  return `${dayAndMonth(date, 9)} ${date.slice(0, 4)}`;
}

/** `25 Nov 2026`. */
export function shortDate(date: string): string {
  return `${dayAndMonth(date, 3)} ${date.slice(0, 4)}`;
}

/** `25 Nov`, or with the whole name of the month. */
export function dayAndMonth(date: string, letters = 3): string {
  return `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1]!.slice(0, letters)}`;
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
  const [date, time] = value.toISOString().split('T') as [string, string];
  return `${shortDate(date)}, ${time.slice(0, 5)} UTC`;
}

/** Foreign text without control characters that could reverse the direction of the text after it. */
export function text(value: unknown): string {
  return String(value).replace(/\p{Bidi_Control}/gu, '');
}

/** At most some characters; a longer text ends in an ellipsis. */
export function cutAt(words: string, most: number): string {
  return words.length <= most ? words : `${words.slice(0, most - 1).trimEnd()}…`;
}

/** `complete_within_tolerance` becomes "complete within tolerance". */
/** Unit of a price per content. */
export function unitName(unit: string | null): string {
  return unit === 'each' ? 'piece' : text(unit ?? 'unit');
}

export function unsnaked(word: string): string {
  return word.replaceAll('_', ' ');
}

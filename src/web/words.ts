import type { Column, Kind, Row } from '../questions/question.ts';
import { writtenAmount } from '../source/normalise/written-amount.ts';

/** What stands where there is no value. */
export const nothing = '–';

const whole = new Intl.NumberFormat('en-GB');
const signed = new Intl.NumberFormat('en-GB', { signDisplay: 'exceptZero', maximumFractionDigits: 2 });

/** A value for people. */
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

/** The value of a column for people. */
export function cellOf(row: Row, { name, as, currency = 'currency', or }: Column): string {
  return row[name] === null && or !== undefined
    ? unsnaked(inWords(row[or], 'text'))
    : inWords(row[name], as, row[currency]);
}

export function number(value: unknown): string {
  return whole.format(Number(value));
}

/** An amount with its currency, rounded to four decimals: means and sums have many. At least two are shown. */
export function money(value: unknown, currency: unknown): string {
  if (value === null || value === undefined) return nothing;
  return exactMoney(Number(value).toFixed(4), currency);
}

/** An exact decimal with its currency, as a unit price that the upstream gave: no digit is lost. */
export function exactMoney(decimal: string, currency: unknown): string {
  return writtenAmount(decimal, currency, '−');
}

/** To the minute, in UTC: the nights of two regions stand side by side. */
export function instant(value: Date): string {
  return `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Texts of others, without what would turn round the words after them. */
export function text(value: unknown): string {
  return String(value).replace(/\p{Bidi_Control}/gu, '');
}

/** `complete_within_tolerance` as a person says it. */
export function unsnaked(word: string): string {
  return word.replaceAll('_', ' ');
}

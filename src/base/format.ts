import { writtenAmount } from './written-amount.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Values by kind of column, as a statement returns them; exact decimals are strings, dates are `YYYY-MM-DD`. */
export interface Values {
  text: string;
  /** Text that needs a wide column. */
  sentence: string;
  /** A whole number. */
  number: number;
  /** A whole number that identifies something. */
  key: number;
  decimal: string;
  /** An inexact number, such as degrees. */
  float: number;
  money: string;
  percent: string;
  saving: string;
  date: string;
  instant: Date;
  'yes-no': boolean;
}

/** Type and display format of a value; CSV and JSON contain the database value. */
export type Kind = keyof Values;

/** A column of rows. */
export interface Column {
  /** Name in the statement, in CSV and in JSON. */
  readonly name: string;
  /** Heading of a table; by default the usual heading, or the name without underscores. */
  readonly heading?: string;
  readonly as?: Kind;
  /** Names of its values, where they differ from the values; `''` names a missing value anywhere. */
  readonly names?: Readonly<Record<string, string>>;
  /** Column with the currency of an amount; by default `currency`. */
  readonly currency?: string;
  /** Column shown if this one is null, such as the reason. */
  readonly or?: string;
  /** Decimals shown; by default all. */
  readonly decimals?: number;
}

/** A page has typographic signs and words; a terminal has plain ones. */
export type Medium = 'page' | 'terminal';

/** Shown on pages for missing values. */
export const nothing = '–';

const whole = new Intl.NumberFormat('en-GB');
const fixed = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });
const signed = [0, 1, 2].map((most) => new Intl.NumberFormat('en-GB', { signDisplay: 'exceptZero', ...fixed(most) }));
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats the value of a column of a row for people. */
export function format(row: Row, column: Column, medium: Medium = 'page'): string {
  const { name, as, currency = 'currency', or, decimals, names = {} } = column;
  const value = row[name];
  const isPage = medium === 'page';
  if (value === null || value === undefined || value === '') {
    const instead = (or === undefined ? null : row[or]) ?? names[''] ?? null;
    return instead === null ? (isPage ? nothing : '') : plain(instead).replaceAll('_', ' ');
  }
  switch (as) {
    case 'number':
    case 'decimal':
    case 'float':
      return withMinus(decimals === undefined ? whole.format(Number(value)) : Number(value).toFixed(decimals), medium);
    case 'money': {
      const places = decimals ?? (isPage ? 4 : null);
      const exact = places === null ? String(value) : Number(value).toFixed(places);
      return writtenAmount(exact, row[currency], isPage ? '−' : '-');
    }
    case 'percent':
      return `${withMinus(signed[decimals ?? 1]!.format(Number(value)), medium)}%`;
    case 'saving':
      return `${Number(Math.abs(Number(value)).toPrecision(2))}% ${Number(value) < 0 ? 'more' : 'off'}`;
    case 'date':
      return isPage ? shortDate(String(value)) : String(value);
    case 'instant': {
      const [date = '', time = ''] = new Date(String(value)).toISOString().split('T');
      return isPage ? `${shortDate(date)}, ${time.slice(0, 5)} UTC` : `${date} ${time.slice(0, 5)} UTC`;
    }
    case 'yes-no':
      return value ? 'yes' : 'no';
    default:
      return plain(names[String(value)] ?? value);
  }
}

/** `1234567` as `1,234,567`. */
export const count = (value: number): string => whole.format(value);

/** `1 product`, `2,000 products`. */
export const plural = (found: number, one: string, many = `${one}s`): string =>
  `${count(found)} ${found === 1 ? one : many}`;

/** Whether values of the column are aligned to the right. */
export const isNumeric = ({ as = 'text' }: Column): boolean =>
  ['number', 'decimal', 'float', 'money', 'percent', 'saving'].includes(as);

const headings: Readonly<Record<string, string>> = {
  ...{ snapshot_date: 'Night', title: 'Product', description: 'Promotion', unit_price: 'Per unit' },
  ...{ unit_of_measure: 'Unit', loyalty_price: 'Members', uk_product_id: 'UK product id', change_pct: 'Change' },
};

export function headingOf({ name, heading }: Column): string {
  return heading ?? headings[name] ?? capital(name.replaceAll('_', ' '));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `25 Nov 2026` of a date such as `2026-11-25`. */
export function shortDate(date: string): string {
  return `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** Foreign text without the characters that control a terminal or reverse the direction of the text after it. */
export function plain(value: unknown): string {
  return String(value)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/\p{Cc}+/gu, ' ');
}

/** Figures with the minus of the medium, but nothing below zero that is shown as zero. */
const withMinus = (digits: string, medium: Medium) =>
  digits.replace('-', Number(digits) === 0 ? '' : medium === 'page' ? '−' : '-');

import type { Kind, Row } from './page.ts';

/** What stands where there is no value. */
export const nothing = '–';

const whole = new Intl.NumberFormat('en-GB');
const signed = new Intl.NumberFormat('en-GB', { signDisplay: 'exceptZero', maximumFractionDigits: 2 });

/** A value for people. */
export function inWords(value: unknown, as: Kind | undefined, row: Row): string {
  if (value === null || value === undefined || value === '') return nothing;
  switch (as) {
    case 'number':
      return number(value);
    case 'money':
      return money(value, row['currency']);
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

export function number(value: unknown): string {
  return whole.format(Number(value));
}

/** An amount with its currency; exact decimals stay as many as they are, two at least. */
export function money(value: unknown, currency: unknown): string {
  if (value === null || value === undefined) return nothing;
  const decimals = Math.min(4, Math.max(2, /\.(\d*?)0*$/.exec(String(value))?.[1]?.length ?? 0));
  const sign = Number(value) < 0 ? '−' : '';
  const amount = Math.abs(Number(value)).toFixed(decimals);
  const symbol = currency === 'GBP' ? '£' : currency === 'EUR' ? '€' : '';
  return symbol === '' ? `${sign}${amount} ${currency ?? ''}`.trim() : `${sign}${symbol}${amount}`;
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

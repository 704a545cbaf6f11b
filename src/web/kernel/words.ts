import { capital, format, type Kind, nothing, plain, plural, shortDate } from '../../base/format.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';

export { share } from '../../questions/columns.ts';
export { capital, nothing, plain as text, plural, shortDate };

/** A value as a column of this kind shows it. */
const as =
  (kind: Kind) =>
  (value: unknown): string =>
    format({ value }, { name: 'value', as: kind });

const months = 'January February March April May June July August September October November December'.split(' ');

export const number = as('number');

/** `+12.5%`, `−0.3%`, `0.0%`. */
export const percent = as('percent');

/** `+0.17`: two decimals and the sign. */
export const exact = (value: unknown): string =>
  format({ value }, { name: 'value', as: 'percent', decimals: 2 }).slice(0, -1);

/** `25 November 2026` of a date such as `2026-11-25`. */
export function longDate(date: string): string {
  return `${dayAndMonth(date, 9)} ${date.slice(0, 4)}`;
}

/** `25 Nov`, or with the whole name of the month. */
export function dayAndMonth(date: string, letters = 3): string {
  return `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1]!.slice(0, letters)}`;
}

/** An amount with its currency, rounded to four decimals; at least two are shown. */
export const money = (value: unknown, currency: unknown): string =>
  format({ value, currency }, { name: 'value', as: 'money' });

/** The same rounded to pence or cents. */
export const rounded = (value: number, currency: unknown): string => money(value.toFixed(2), currency);

/** Rounded to the minute, in UTC, because pages show both regions side by side. */
export const instant = as('instant');

/** At most some characters; a longer text ends in an ellipsis. */
export function cutAt(words: string, most: number): string {
  return words.length <= most ? words : `${words.slice(0, most - 1).trimEnd()}…`;
}

/** Unit of a price per content. */
export function unitName(unit: string | null): string {
  return unit === 'each' ? 'piece' : plain(unit ?? 'unit').replace('DR.WT', 'drained');
}

/** `complete_within_tolerance` becomes "complete within tolerance". */
export function unsnaked(word: string): string {
  return word.replaceAll('_', ' ');
}

/** `500 g`, `6 pieces`. */
export function packSize(amount: string, unit: string): string {
  return unit === 'each' ? plural(Number(amount), 'piece') : `${number(amount)} ${unit}`;
}

/** Unit of prices per content, by the measure of packs. */
export const perUnits: Readonly<Record<string, string>> = { g: 'kg', ml: 'litre', each: 'piece' };

/** `£1.20 / kg`. */
export function unitPrice(price: string | null, unit: string | null, currency: unknown): string {
  return price === null ? nothing : `${money(price, currency)} / ${unitName(unit)}`;
}

/** `United Kingdom` for `uk`. */
export const regionName = (region: string): string => regions[region as RegionCode].name;

/** `the United Kingdom`, `Ireland`. */
export const articled = (name: string): string => (name.startsWith('United') ? `the ${name}` : name);

/** A message of a question without advice for terminals, and with the names of regions. */
export const plainly = (line: string): string =>
  line.split(' `')[0]!.replace(/\b(of|or) (uk|ie)\b/g, (_, of, code) => `${of} ${articled(regionName(code))}`);

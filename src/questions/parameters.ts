import { z } from 'zod';
import { RegionCode, regionCodes } from '../base/model/index.ts';
import { regionNames } from './columns.ts';
import { allOf, type Sql, sql } from './sql.ts';

/** Valid calendar date such as `2026-03-01`. */
export const DateParameter = z.iso
  .date('must be a date such as 2026-03-01')
  // PostgreSQL does not support year 0 of ISO 8601.
  .regex(/^(?!0000)/, 'must be a date such as 2026-03-01')
  .meta({ description: 'A date' });

export const dateAbout = (description: string) =>
  DateParameter.optional().meta({ description: `YYYY-MM-DD; ${description}` });

export const Since = dateAbout('from this night on (default: all nights)');
export const Until = dateAbout('up to this night (default: all nights)');

/** First night; by default that so many nights before the last one. */
export const sinceNights = (nights: number, what = 'from this night on') =>
  dateAbout(`${what} (default: the last ${nights} nights)`).meta({ label: 'Since' });

export const RegionParameter = RegionCode.default('uk').meta({
  description: 'uk or ie (default: uk)',
  names: regionNames,
});

export const EitherRegion = RegionCode.optional().meta({ description: 'uk or ie (default: both)', names: regionNames });

const oneRegion = regionCodes.join('|');

/** Regions separated by commas. An option whose default is a list may be repeated. */
export const Regions = z
  .string()
  .regex(new RegExp(`^(${oneRegion})(,(${oneRegion}))*$`), `must be one of ${regionCodes.join(', ')}`)
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(RegionCode))
  .default([...regionCodes])
  .meta({ description: 'uk or ie; may be repeated (default: both)' });

/** One of several words, optional. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  z
    .enum(words)
    .optional()
    .meta({ description: `${description}: ${words.join(', ')}` });

/** One of several words; the first is the default. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  z
    .enum(words)
    .default(words[0])
    .meta({ description: `${description}: ${words.join(', ')} (default: ${words[0]})` });

/** The order of the rows by its word, with its name on pages; the first one is the default. */
export const orderOf = <const Orders extends Readonly<Record<string, { readonly name: string }>>>(orders: Orders) =>
  oneOf(
    Object.keys(orders) as [keyof Orders & string, ...(keyof Orders & string)[]],
    Object.values(orders)
      .map(({ name }) => name)
      .join(', '),
  ).meta({
    label: 'Order',
    names: Object.fromEntries(Object.entries(orders).map(([word, { name }]) => [word, name])),
  });

/** In NFC, as texts are stored. */
export const textUpTo = (most: number, least = 0) =>
  z
    .string()
    .normalize()
    .trim()
    .min(least, `must have at least ${least} characters`)
    .max(most, `must have at most ${most} characters`)
    .optional();

/** Name, path or id of a category. Not trimmed, because names may end in spaces. */
export const categoryAbout = (description: string) =>
  z
    .string()
    .normalize()
    .max(500)
    .optional()
    .meta({ description: `${description}: its name, path or id, as \`contributions\` lists them` });

export const ProductParameter = textUpTo(2_000).meta({
  description: 'only this product: its id or its address',
});

export const TheProduct = z
  .string('must be given')
  .trim()
  .min(1, 'must be a product')
  .max(2_000)
  .meta({ description: 'the product: its id or its address' });

/** Beginnings of words as typed by a user. */
export const Words = textUpTo(200, 2).meta({
  description: 'only products whose title or brand has words that begin with these',
});

/** Products with such words. An odd relevance is that of a category, although the title and the brand lack them. */
export const titled = (region: RegionCode, words: string): Sql =>
  sql`(select product_key from marts.find_products(${region}, ${words}) where relevance % 2 = 0)`;

/** Condition: a product was in one of these categories, or below it, at an instant. */
export const wasIn = (categoryKeys: readonly number[], product: Sql, at: Sql): Sql => sql`exists (
        select from marts.bridge_product_category b
        where b.product_key = ${product} and b.category_key = any (${categoryKeys}::int[])
          and b.valid_from <= ${at} and (b.valid_to is null or b.valid_to > ${at}))`;

/** Condition: a date is within those that are given, if any is. */
export const within = (date: Sql, { since, until }: Partial<Record<'since' | 'until', string | undefined>>) =>
  (since ?? until) && allOf(since && sql`${date} >= ${since}`, until && sql`${date} <= ${until}`);

export const wholeNumber = (least: number, most: number) => {
  const fault = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number<number | string>(fault).int(fault).min(least, fault).max(most, fault);
};

/** Non-negative decimal number. */
export const amount = (fault = 'must be an amount such as 1.50') =>
  z.coerce.number<number | string>(fault).min(0, 'must be 0 or more').max(1_000_000, fault).optional();

/** Error text of a value: `must be …`. */
export function faultOf(issue: z.core.$ZodIssue): string {
  if (/received undefined$/.test(issue.message)) return 'must be given';
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message;
}

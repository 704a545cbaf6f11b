import { z } from 'zod';
import { RegionCode } from '../model/index.ts';
import { faultOf } from '../questions/parameters.ts';

export const RegionParameter = RegionCode.default('uk').meta({ description: 'Region' });

/** Rows further back than this cost more than they tell: filters lead to them. */
export const lastPage = 1_000;

/** A page of a table, from 1. */
export const PageNumber = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(lastPage, `must be ${lastPage} or less`)
  .default(1)
  .meta({ description: 'Page of the table, from 1' });

/** So many of something, one at least. */
export const countUpTo = (most: number, what: string) =>
  z.coerce
    .number(`must be a number of ${what}`)
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(most, `must be ${most} or less`);

/** An amount of money, in the currency of the region. */
export const Amount = z.coerce
  .number('must be an amount such as 1.50')
  .min(0, 'must not be negative')
  .max(1_000_000, 'must be less than a million')
  .optional();

/** Words, as a person types them. */
export const Words = z
  .string()
  .trim()
  .min(2, 'must have at least 2 characters')
  .max(200, 'must have at most 200 characters')
  .optional();

/** Likewise, or an address that was pasted with all that shops add to it. */
export const WordsOrAddress = z
  .string()
  .trim()
  .min(2, 'must have at least 2 characters')
  .max(2_000, 'must have at most 2000 characters')
  .optional();

export interface Refused {
  readonly parameter: string;
  readonly line: string;
}

/** The parameters of an address, or one line about what is wrong with the first that is. */
export function readParameters(
  shape: z.ZodObject,
  search: URLSearchParams,
): { readonly parameters: Record<string, unknown> } | { readonly refused: Refused } {
  // A form sends what was left empty, too.
  const given = [...search].filter(([, value]) => value.trim() !== '');
  const twice = given.find(([name], i) => given.findIndex(([other]) => other === name) !== i);
  if (twice) return refuse(twice[0], 'is given twice');
  // PostgreSQL keeps no such text, and so finds none.
  const unprintable = given.find(([, value]) => value.includes('\0'));
  if (unprintable) return refuse(unprintable[0], 'has a character that no text has, NUL (%00)');
  const read = shape.safeParse(Object.fromEntries(given));
  if (read.success) return { parameters: read.data };
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  if (issue.code === 'unrecognized_keys') return refuse(issue.keys[0]!, 'is not a parameter of this page');
  return refuse(String(issue.path[0]), faultOf(issue));
}

function refuse(parameter: string, why: string): { refused: Refused } {
  return { refused: { parameter, line: `“${parameter}” ${why}.` } };
}

/** The parameters that differ from what holds without them, as a query string with its question mark; '' without any. */
export function queryString(parameters: Readonly<Record<string, unknown>>, shape: z.ZodObject): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === '') continue;
    if (value === shape.shape[name]?.safeParse(undefined).data) continue;
    search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

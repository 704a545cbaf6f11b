import { z } from 'zod';
import { faultOf, wholeNumber } from '../questions/parameters.ts';

/** Limit of pagination: the cost of a page grows with its offset. */
export const lastPage = 1_000;

/** Page number of a table, starting at 1. */
export const PageNumber = wholeNumber(1, lastPage).default(1).meta({ description: 'Page of the table, from 1' });

/** Parameters that may be repeated, as a form with several ticks repeats them; the values are joined by commas. */
export const repeatable = z.registry();

export interface Refused {
  readonly parameter: string;
  readonly line: string;
}

/** Parses the parameters of an address, or describes the first invalid one. */
export function readParameters(
  shape: z.ZodObject,
  search: URLSearchParams,
): { readonly parameters: Record<string, unknown> } | { readonly refused: Refused } {
  // Forms submit empty fields, too.
  const given = [...search].filter(([, value]) => value.trim() !== '');
  const isRepeatable = (name: string) => Object.hasOwn(shape.shape, name) && repeatable.has(shape.shape[name]);
  const twice = given.find(([name], i) => !isRepeatable(name) && given.findIndex(([other]) => other === name) !== i);
  if (twice) return refuse(twice[0], 'is given twice');
  // PostgreSQL text cannot contain NUL.
  const unprintable = given.find(([, value]) => value.includes('\0'));
  if (unprintable) return refuse(unprintable[0], 'contains the character NUL (%00)');
  const all = (wanted: string) => given.flatMap(([name, value]) => (name === wanted ? [value] : [])).join(',');
  const joined = given.map(([name, value]) => [name, isRepeatable(name) ? all(name) : value]);
  const read = shape.safeParse(Object.fromEntries(joined));
  if (read.success) return { parameters: read.data };
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  if (issue.code === 'unrecognized_keys') return refuse(issue.keys[0]!, 'is not a parameter of this page');
  return refuse(String(issue.path[0]), faultOf(issue));
}

function refuse(parameter: string, why: string): { refused: Refused } {
  return { refused: { parameter, line: `“${parameter}” ${why}.` } };
}

/** Query string of the parameters that differ from their defaults, with its question mark; '' if none differ. */
export function queryString(parameters: Readonly<Record<string, unknown>>, shape: z.ZodObject): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === '') continue;
    if (value === shape.shape[name]?.safeParse(undefined).data) continue;
    search.append(name, String(value));
  }
  // Both are allowed in a query, and people read addresses.
  const text = search.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

import type { z } from 'zod';
import { faultOf, wholeNumber } from '../questions/parameters.ts';

/** Rows further back than this cost more than they tell: filters lead to them. */
export const lastPage = 1_000;

/** A page of a table, from 1. */
export const PageNumber = wholeNumber(1, lastPage).default(1).meta({ description: 'Page of the table, from 1' });

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

/**
 * The parameters that differ from what holds without them, as a query string with its question mark; '' without any.
 */
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

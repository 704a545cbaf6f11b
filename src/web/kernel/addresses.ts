import { z } from 'zod';
import { faultOf, wholeNumber } from '../../questions/parameters.ts';
import { Malformed, refuseNul } from '../api/failure.ts';

/** Limit of pagination: the cost of a page grows with its offset. */
export const lastPage = 1_000;

/** Page number of a list, starting at 1. */
export const PageNumber = wholeNumber(1, lastPage).default(1).meta({ description: 'Page of the list, from 1' });

export type Changes = Readonly<Record<string, string | number | null | undefined>>;
export type HrefWith = (changes: Changes) => string;

export function productHref(region: string, productId: string): string {
  return `/product${searchOf({ region, product: productId })}`;
}

export const compareHref = (region: string, items: string): string => `/compare${searchOf({ region, items })}`;

/** Query string of the parameters that have a value, with its question mark; '' if none has. */
export function searchOf(parameters: Changes): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  // Both are allowed in a query, and people read addresses.
  const text = new URLSearchParams(given).toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

export function searchIn(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** Whether a parameter may be repeated, as a form with several ticks repeats it; the values are joined by commas. */
const isRepeatable = (shape: z.ZodObject, name: string): boolean => {
  const type = Object.hasOwn(shape.shape, name) ? shape.shape[name] : undefined;
  return type instanceof z.ZodType && type.meta()?.['repeats'] === true;
};

/** A form with ticks repeats a parameter, at most once per row of its list. */
const maxParameters = 300;

/** Parses the parameters of an address. Throws `Malformed` for the first invalid one. */
export function readParameters(shape: z.ZodObject, search: URLSearchParams): Record<string, unknown> {
  if (search.size > maxParameters) throw new Malformed('address', `has more than ${maxParameters} parameters`);
  const given = grouped(search);
  const twice = [...given].find(([name, values]) => values.length > 1 && !isRepeatable(shape, name));
  if (twice) throw new Malformed(twice[0], 'is given twice');
  refuseNul(Object.fromEntries(given));
  const read = shape.safeParse(joined(search));
  if (read.success) return read.data;
  const issue = read.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? read.error.issues[0]!;
  if (issue.code === 'unrecognized_keys')
    throw new Malformed(issue.keys[0]!, `is not known here. Known are ${shape.keyof().options.join(', ')}`);
  throw new Malformed(String(issue.path[0]), faultOf(issue));
}

/** Values by name as written, without empty ones: forms submit empty fields, too. */
function grouped(search: URLSearchParams): ReadonlyMap<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of search) {
    if (value.trim() === '') continue;
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** Parameters by name as written, without empty ones; repeated ones are joined by commas. */
export const joined = (search: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...grouped(search)].map(([name, values]) => [name, values.join(',')]));

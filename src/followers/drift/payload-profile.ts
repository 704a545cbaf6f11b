import { storableText } from '../../source/normalise/text.ts';

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** Statistics of the values at one path: frequency, types, magnitude and texts. */
export interface PathProfile {
  readonly types: Readonly<Partial<Record<JsonType, number>>>;
  /** For non-zero numbers: count and sum of logarithms, which give the geometric mean. */
  readonly numbers: { readonly logs: number; readonly nonZero: number } | null;
  /** Distinct texts in order; null: too many for an enumeration. */
  readonly texts: readonly string[] | null;
}

/** By path: `data.products[].price.price`; `$` is the root. */
export type Profile = Readonly<Record<string, PathProfile>>;

/** Payloads have about a hundred paths; more occur only if keys are data. */
const mostPaths = 1_000;
const mostTexts = 24;
const longestText = 60;
const longestKey = 100;
const deepest = 20;

/** Profile of all paths of some values. */
export function profileOf(values: readonly unknown[]): Profile {
  const counting = new Map<string, Counting>();
  for (const value of values) count(counting, '$', value, 0);
  return Object.fromEntries(
    [...counting].map(([path, { types, numbers, texts }]): [string, PathProfile] => [
      path,
      { types, numbers, texts: texts && [...texts].sort() },
    ]),
  );
}

/** Combined profile. */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  const merged: Record<string, PathProfile> = {};
  for (const profile of profiles) {
    for (const [path, each] of Object.entries(profile)) {
      const known = merged[path];
      merged[path] = known ? mergePaths(known, each) : each;
    }
  }
  return merged;
}

/** Number of occurrences of a path. */
export function presence({ types }: Pick<PathProfile, 'types'>): number {
  return Object.values(types).reduce((sum, times) => sum + times, 0);
}

/** Type of nearly all non-null values; null if there is none. */
export function usualType({ types }: PathProfile): JsonType | null {
  const said = (Object.entries(types) as [JsonType, number][]).filter(([type]) => type !== 'null');
  const all = said.reduce((sum, [, times]) => sum + times, 0);
  return said.find(([, times]) => times > all * 0.9)?.[0] ?? null;
}

/** Parent of a path: `a[]` for `a[].b`, `a` for `a[]`; null for the root. */
export function parentOf(path: string): string | null {
  if (path === '$') return null;
  if (path.endsWith('[]')) return path.slice(0, -2);
  const at = path.lastIndexOf('.');
  return at < 0 ? '$' : path.slice(0, at);
}

interface Counting {
  readonly types: Partial<Record<JsonType, number>>;
  numbers: { logs: number; nonZero: number } | null;
  texts: Set<string> | null;
}

function count(counting: Map<string, Counting>, path: string, value: unknown, depth: number): void {
  if (value === undefined || depth > deepest) return;
  let at = counting.get(path);
  if (!at) {
    if (counting.size >= mostPaths) return;
    at = { types: {}, numbers: null, texts: new Set() };
    counting.set(path, at);
  }
  const type = typeOf(value);
  at.types[type] = (at.types[type] ?? 0) + 1;
  if (typeof value === 'number') countNumber(at, value);
  if (typeof value === 'string') countText(at, value);
  if (Array.isArray(value)) for (const element of value) count(counting, `${path}[]`, element, depth + 1);
  else if (type === 'object') {
    for (const [key, child] of Object.entries(value as object)) {
      // Names inherited by every object, and `$`, are ignored.
      if (path === '$' && (key === '$' || key in Object.prototype)) continue;
      const name = storableText(key.slice(0, longestKey));
      count(counting, path === '$' ? name : `${path}.${name}`, child, depth + 1);
    }
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function countNumber(at: Counting, value: number): void {
  at.numbers ??= { logs: 0, nonZero: 0 };
  if (value === 0) return;
  at.numbers.logs += Math.log(Math.abs(value));
  at.numbers.nonZero += 1;
}

function countText(at: Counting, value: string): void {
  if (at.texts === null) return;
  if (value.length > longestText) at.texts = null;
  else at.texts.add(storableText(value));
  if (at.texts && at.texts.size > mostTexts) at.texts = null;
}

function mergePaths(one: PathProfile, other: PathProfile): PathProfile {
  const types: Partial<Record<JsonType, number>> = { ...one.types };
  for (const [type, times] of Object.entries(other.types) as [JsonType, number][])
    types[type] = (types[type] ?? 0) + times;
  const [a, b] = [one.numbers, other.numbers];
  const numbers = a && b ? { logs: a.logs + b.logs, nonZero: a.nonZero + b.nonZero } : (a ?? b);
  const all = one.texts && other.texts && [...new Set([...one.texts, ...other.texts])].sort();
  return { types, numbers, texts: all && all.length <= mostTexts ? all : null };
}

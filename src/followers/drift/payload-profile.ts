import { storableText } from '../../source/normalise/text.ts';

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** Statistics of the values at one path: frequency, types and magnitude. */
export interface PathProfile {
  readonly types: Readonly<Partial<Record<JsonType, number>>>;
  /** For non-zero numbers: count and sum of logarithms, which give the geometric mean. */
  readonly numbers: { readonly logs: number; readonly nonZero: number } | null;
}

/** By path: `data.products[].price.price`; `$` is the root. */
export type Profile = Readonly<Record<string, PathProfile>>;

/** Payloads have about a hundred paths; more occur only if keys are data. */
const mostPaths = 1_000;
const longestKey = 100;
const deepest = 20;

/** Profile of all paths of some values, as JSON has them. `understood` replaces values. */
export function profileOf(values: readonly unknown[], understood = (value: unknown) => value): Profile {
  const counts: Counts = { byPath: new Map(), understood };
  for (const value of values) count(counts, at(counts, '$'), value, 0);
  return Object.fromEntries([...counts.byPath].map(([path, { types, numbers }]) => [path, { types, numbers }]));
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

interface Counts {
  readonly byPath: Map<string, Counting>;
  understood(value: unknown): unknown;
}

interface Counting {
  readonly path: string;
  readonly types: Partial<Record<JsonType, number>>;
  numbers: { logs: number; nonZero: number } | null;
  /** By key as received; null: not counted. A path is put together once, not for every value. */
  readonly children: Map<string, Counting | null>;
  elements?: Counting | null;
}

/** Null: there are too many paths. */
function at({ byPath }: Counts, path: string): Counting | null {
  const known = byPath.get(path);
  if (known || byPath.size >= mostPaths) return known ?? null;
  const counting: Counting = { path, types: {}, numbers: null, children: new Map() };
  byPath.set(path, counting);
  return counting;
}

function count(counts: Counts, counting: Counting | null, given: unknown, depth: number): void {
  if (given === undefined || counting === null || depth > deepest) return;
  const value = counts.understood(given instanceof Date ? given.toJSON() : given);
  const type = typeOf(value);
  counting.types[type] = (counting.types[type] ?? 0) + 1;
  if (typeof value === 'number') countNumber(counting, value);
  if (Array.isArray(value)) {
    if (value.length > 0) counting.elements ??= at(counts, `${counting.path}[]`);
    for (const element of value) count(counts, counting.elements ?? null, element, depth + 1);
  } else if (type === 'object') {
    for (const key of Object.keys(value as object)) {
      const child = (value as Record<string, unknown>)[key];
      if (child !== undefined) count(counts, childOf(counts, counting, key), child, depth + 1);
    }
  }
}

function childOf(counts: Counts, { path, children }: Counting, key: string): Counting | null {
  const known = children.get(key);
  if (known !== undefined) return known;
  // Names inherited by every object, and `$`, are ignored.
  const isIgnored = path === '$' && (key === '$' || key in Object.prototype);
  const name = storableText(key.slice(0, longestKey));
  const child = isIgnored ? null : at(counts, path === '$' ? name : `${path}.${name}`);
  children.set(key, child);
  return child;
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

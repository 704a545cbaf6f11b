/** Dense number of the whole region. */
export const wholeRegion = 0;

/** Interned sets of categories, each with a number: many products share few sets. */
export interface CategoryGroups {
  /** Category keys by dense number; number 0, the whole region, has key 0. */
  readonly categoryKeys: readonly number[];
  /** Dense numbers of a group's categories in ascending order, including the whole region. */
  members(group: number): Int32Array;
  /** Group of a product directly in these categories, including all ancestors and the region. */
  ofDirect(categoryKeys: readonly number[]): number;
  /** Group of exactly these categories, by key. */
  ofKeys(categoryKeys: readonly number[]): number;
  /** Group of the common categories of two groups. */
  intersection(a: number, b: number): number;
  /** Number of groups so far. */
  size(): number;
}

/** `ancestors`: each category's ancestors and itself, by key. */
export function createCategoryGroups(ancestors: ReadonlyMap<number, readonly number[]>): CategoryGroups {
  // All categories are numbered up front, so that all columns by category have the same length.
  const categoryKeys = [0, ...[...ancestors.keys()].sort((a, b) => a - b)];
  const numberOf = new Map(categoryKeys.map((key, number) => [key, number]));
  const groups: Int32Array[] = [];
  const groupOf = new Map<string, number>();
  const intersections = new Map<number, number>();
  /** Cache: products and periods repeat the same sets. */
  const groupOfDirect = new Map<string, number>();
  const groupOfKeys = new Map<string, number>();

  /** Removed categories have no figures. */
  const numbers = (keys: readonly number[]): number[] =>
    keys.flatMap((key) => {
      const number = numberOf.get(key);
      return number === undefined ? [] : [number];
    });
  const intern = (members: Iterable<number>): number => {
    const sorted = Int32Array.from(new Set([wholeRegion, ...members])).sort();
    const name = sorted.join(' ');
    let group = groupOf.get(name);
    if (group === undefined) {
      group = groups.push(sorted) - 1;
      groupOf.set(name, group);
    }
    return group;
  };
  const remembered = (
    known: Map<string, number>,
    keys: readonly number[],
    membersOf: () => readonly number[],
  ): number => {
    const name = keys.join(' ');
    let group = known.get(name);
    if (group === undefined) {
      group = intern(membersOf());
      known.set(name, group);
    }
    return group;
  };

  return {
    categoryKeys,
    members: (group) => groups[group]!,
    ofDirect: (keys) => remembered(groupOfDirect, keys, () => keys.flatMap((key) => numbers(ancestors.get(key) ?? []))),
    ofKeys: (keys) => remembered(groupOfKeys, keys, () => numbers(keys)),
    intersection(a, b) {
      if (a === b) return a;
      const name = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      let common = intersections.get(name);
      if (common === undefined) {
        const others = new Set(groups[b]);
        common = intern(groups[a]!.filter((member) => others.has(member)));
        intersections.set(name, common);
      }
      return common;
    },
    size: () => groups.length,
  };
}

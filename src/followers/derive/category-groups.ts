/** Dense number of the whole region among the categories. */
export const wholeRegion = 0;

/** Sets of categories that products are in, each with a number: few sets, many products. */
export interface CategoryGroups {
  /** Category keys by dense number; the whole region, number 0, has key 0. */
  readonly categoryKeys: readonly number[];
  /** Dense numbers of the categories of a group, the whole region among them, in ascending order. */
  members(group: number): Int32Array;
  /** The group of a product that is directly in these categories: with all above them, and the region. */
  ofDirect(categoryKeys: readonly number[]): number;
  /** The group of exactly these categories, by key. */
  ofKeys(categoryKeys: readonly number[]): number;
  /** What two groups have in common. */
  intersection(a: number, b: number): number;
  /** How many groups there are so far; numbers are below it. */
  size(): number;
}

/** `ancestors`: all categories above each category, and itself, by key. */
export function createCategoryGroups(ancestors: ReadonlyMap<number, readonly number[]>): CategoryGroups {
  // All from the start, so that columns by category have one length.
  const categoryKeys = [0, ...[...ancestors.keys()].sort((a, b) => a - b)];
  const numberOf = new Map(categoryKeys.map((key, number) => [key, number]));
  const groups: Int32Array[] = [];
  const groupOf = new Map<string, number>();
  const intersections = new Map<number, number>();
  /** Products and periods name the same sets over and over. */
  const groupOfDirect = new Map<string, number>();
  const groupOfKeys = new Map<string, number>();

  /** A category that is no longer there has no figures. */
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

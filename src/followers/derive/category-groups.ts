/** Dense number of the whole region. */
export const wholeRegion = 0;

export type CategoryGroups = ReturnType<typeof createCategoryGroups>;

/**
 * Interned sets of categories, each with a number: many products share few sets. `ancestors`: each category's ancestors
 * and itself, by key.
 */
export function createCategoryGroups(ancestors: ReadonlyMap<number, readonly number[]>) {
  // All categories are numbered up front, so that all columns by category have the same length.
  const categoryKeys = [0, ...[...ancestors.keys()].sort((a, b) => a - b)];
  const numberOf = new Map(categoryKeys.map((key, number) => [key, number]));
  const groups: Int32Array[] = [];
  const groupOf = new Map<string, number>();
  const intersections = new Map<number, number>();
  /** Cache: products repeat the same sets. */
  const groupOfDirect = new Map<string, number>();

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
  return {
    /** Category keys by dense number; number 0, the whole region, has key 0. */
    categoryKeys: categoryKeys as readonly number[],

    /** Dense numbers of a group's categories in ascending order, including the whole region. */
    members: (group: number): Int32Array => groups[group]!,

    /** Group of a product directly in these categories, including all ancestors and the region. */
    ofDirect(keys: readonly number[]): number {
      const name = keys.join(' ');
      const group = groupOfDirect.get(name) ?? intern(keys.flatMap((key) => numbers(ancestors.get(key) ?? [])));
      groupOfDirect.set(name, group);
      return group;
    },

    /** Group of exactly these categories, by key. */
    ofKeys: (keys: readonly number[]): number => intern(numbers(keys)),

    /** Group of the common categories of two groups. */
    intersection(a: number, b: number): number {
      if (a === b) return a;
      const name = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      const common = intersections.get(name) ?? intern(groups[a]!.filter((member) => groups[b]!.includes(member)));
      intersections.set(name, common);
      return common;
    },

    /** Number of groups so far. */
    size: (): number => groups.length,
  };
}

/** Dense number of the whole region. */
export const wholeRegion = 0;

export type CategoryGroups = ReturnType<typeof createCategoryGroups>;

/**
 * Interned sets of categories with a home department, each with a number: many products share few sets. `ancestors`:
 * each category's ancestors and itself, by key, the department first.
 */
export function createCategoryGroups(ancestors: ReadonlyMap<number, readonly number[]>) {
  // All categories are numbered up front, so that all columns by category have the same length.
  const categoryKeys = [0, ...[...ancestors.keys()].sort((a, b) => a - b)];
  const numberOf = new Map(categoryKeys.map((key, number) => [key, number]));
  const groups: { readonly home: number; readonly members: Int32Array }[] = [];
  const groupOf = new Map<string, number>();
  const intersections = new Map<number, number>();
  /** Caches: products and panels repeat the same sets. */
  const [groupOfDirect, groupOfKeys] = [new Map<string, number>(), new Map<string, number>()];

  /** Removed categories have no figures. */
  const numbers = (keys: readonly number[]): number[] => keys.flatMap((key) => numberOf.get(key) ?? []);
  const departmentOf = (key: number): number => numberOf.get(ancestors.get(key)?.[0] ?? 0) ?? wholeRegion;
  const intern = (home: number, of: Iterable<number>): number => {
    const members = Int32Array.from(new Set([wholeRegion, ...of])).sort();
    const name = `${home}: ${members.join(' ')}`;
    return madeOnce(groupOf, name, () => groups.push({ home, members }) - 1);
  };
  return {
    /** Category keys by dense number; number 0, the whole region, has key 0. */
    categoryKeys: categoryKeys as readonly number[],

    /** Dense numbers of a group's categories in ascending order, including the whole region. */
    members: (group: number): Int32Array => groups[group]!.members,

    /** Dense number of a group's home department; 0: none is known. */
    home: (group: number): number => groups[group]!.home,

    /** Dense numbers that a home can have. */
    homes: [...new Set([0, ...ancestors.keys()].map(departmentOf))] as readonly number[],

    /**
     * Group of a product whose breadcrumb ends in the category `leaf` (0: none is known) and which `others` list,
     * including all ancestors and the region. Its home is the department of its breadcrumb.
     */
    ofDirect(leaf: number, others: readonly number[] = []): number {
      const name = `${leaf} ${others.join(' ')}`;
      const above = () => [leaf, ...others].flatMap((key) => ancestors.get(key) ?? []);
      return madeOnce(groupOfDirect, name, () => intern(departmentOf(leaf), numbers(above())));
    },

    /** Group of exactly these categories and this home, by key. */
    ofKeys(home: number, keys: readonly number[]): number {
      const name = `${home}: ${keys.join(' ')}`;
      return madeOnce(groupOfKeys, name, () => intern(departmentOf(home), numbers(keys)));
    },

    /** Group of the common categories of two groups, without a home. */
    intersection(a: number, b: number): number {
      if (a === b) return a;
      const name = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      const common = () => groups[a]!.members.filter((member) => groups[b]!.members.includes(member));
      return madeOnce(intersections, name, () => intern(wholeRegion, common()));
    },

    /** Number of groups so far. */
    size: (): number => groups.length,
  };
}

function madeOnce<Key>(made: Map<Key, number>, key: Key, make: () => number): number {
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make();
  made.set(key, value);
  return value;
}

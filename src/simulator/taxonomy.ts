import { fraction, hash, pick } from './hash.ts';
import type { Packed, PackKind, Style } from './pack.ts';
import { type Season, type SuperDepartmentLines, taxonomyLines } from './taxonomy-lines.ts';
import { brandsOf, levelOf } from './words.ts';

export type RegionCode = 'uk' | 'ie';

/** Goods with the same sizes, price and recipe. */
export interface Goods extends Packed {
  /** Pence for a kilogram, a litre or a piece at the middle size. */
  readonly pence: number;
  /** First ingredients; null: not food. */
  readonly made: readonly string[] | null;
  /** Month of the lowest price, 1 to 12, and how much lower it is, as a share; null: all months are the same. */
  readonly cheapest: { readonly month: number; readonly share: number } | null;
  /** Meal deals that include it. */
  readonly meal: 'lunch' | 'evening' | null;
  /** Whether its price changes more often than others. */
  readonly isStaple: boolean;
  /** Per cent by volume; 0: none. */
  readonly alcohol: number;
  /** Whether its pack never shrinks. */
  readonly isFixed: boolean;
  /** As written. `single-uk`: the region allows no deals on several. `modest-uk`: and no large savings. */
  readonly terms: string;
}

/** What a product can be. */
export interface Article {
  /** Without brand and size. */
  readonly name: string;
  /** Null for loose goods. */
  readonly brand: string | null;
  /** Number of the brand on its shelf. */
  readonly maker: number;
  readonly style: Style;
  /** Those of the goods that it has. */
  readonly sizes: readonly number[];
  /** Factor of the price of its goods. */
  readonly level: number;
  readonly goods: Goods;
}

/** What a secondary shelf lists: products below categories of these names. */
interface Selection {
  readonly categories: readonly string[];
  /** Whether it lists them only while they are on offer. */
  readonly isOnOffer: boolean;
}

/** A category. Its own products are the slots `first <= slot < end`, at any level. */
export interface TaxonomyNode {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** Name for titles: trimmed, without question mark. */
  readonly goods: string;
  readonly label: 'superDepartment' | 'department' | 'aisle' | 'shelf';
  readonly depth: number;
  /** Root first, including itself. */
  readonly path: readonly TaxonomyNode[];
  readonly children: readonly TaxonomyNode[];
  readonly season: Season;
  /** What its products can be. */
  readonly articles: readonly Article[];
  /** Rise of its prices in a year, as a share. */
  readonly inflation: number;
  /** Products of other categories that it lists; null: none. Leaves only. */
  readonly selection: Selection | null;
  readonly first: number;
  readonly end: number;
  /** Secondary leaves at or below it. */
  readonly secondaryLeaves: readonly TaxonomyNode[];
}

export interface Taxonomy {
  readonly roots: readonly TaxonomyNode[];
  readonly byId: ReadonlyMap<string, TaxonomyNode>;
  /** Leaves with own products, in slot order. */
  readonly leaves: readonly TaxonomyNode[];
  readonly secondaryLeaves: readonly TaxonomyNode[];
  /** Leaf of a slot. */
  leafOf(slot: number): TaxonomyNode;
}

/** A region's tree over `items` slots with all seasons: complete, or its first `superDepartments`. */
export function createTaxonomy(region: RegionCode, items: number, seed: number, superDepartments = 0): Taxonomy {
  const nodes: Mutable[] = [];
  const lines = taxonomyLines.filter(({ regions }) => regions === 'both' || regions === region);
  const roots = lines.slice(0, superDepartments || lines.length).map((each) => grow(each, nodes));

  const leaves = nodes.filter((node) => node.children.length === 0 && node.selection === null);
  allot(leaves, items, seed);
  for (const node of [...nodes].reverse()) gather(node);

  const firsts = Int32Array.from(leaves, ({ first }) => first);
  return {
    roots,
    byId: new Map(nodes.map((node) => [node.id, node])),
    leaves,
    secondaryLeaves: nodes.filter(({ selection }) => selection !== null),
    leafOf(slot) {
      let low = 0;
      let high = firsts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (firsts[middle]! <= slot) low = middle;
        else high = middle - 1;
      }
      return leaves[low]!;
    },
  };
}

/** What the product at a place of a leaf is; negative places count from the end. */
export function articleOf({ articles }: TaxonomyNode, place: number): Article {
  return articles.at(place % articles.length)!;
}

/** Formula of the upstream: `b;` and base64 of the percent-encoded names, root first, untrimmed. */
function categoryIdOf(names: readonly string[]): string {
  return `b;${Buffer.from(encodeURI(names.join('|')), 'latin1').toString('base64')}`;
}

type Mutable = { -readonly [Key in keyof Omit<TaxonomyNode, 'children'>]: TaxonomyNode[Key] } & {
  children: Mutable[];
  weight: number;
};

const labels = ['superDepartment', 'department', 'aisle', 'shelf'] as const;

function grow(lines: SuperDepartmentLines, nodes: Mutable[]): Mutable {
  const root = add(lines.name, null, lines, nodes);
  for (const [names = '', ...holds] of lines.entries) {
    const [department = '', aisle = '', shelves] = names.split(' > ');
    const parent = child(child(root, department, lines, nodes), aisle, lines, nodes);
    const added = shelves?.split(' | ').map((shelf) => add(shelf, parent, lines, nodes)) ?? [parent];
    for (const leaf of added) {
      leaf.selection = selectionOf(holds[0] ?? '');
      if (!leaf.selection) leaf.articles = articlesAt(leaf, lines, holds);
    }
  }
  const leaves = nodes.filter((node) => node.path[0] === root && node.children.length === 0);
  for (const leaf of leaves) {
    const hasStaples = leaf.articles.some(({ goods }) => goods.isStaple);
    leaf.weight = (lines.weight / leaves.length) * (hasStaples ? 2 : 1);
  }
  return root;
}

function selectionOf(line: string): Selection | null {
  const [, verb, categories] = /^(lists|offers) (.*)$/.exec(line) ?? [];
  return categories === undefined ? null : { categories: categories.split(' | '), isOnOffer: verb === 'offers' };
}

/** Both regions, and the comparison between them, read the same lines. */
function articlesAt({ id, goods, path }: Mutable, { kind }: SuperDepartmentLines, holds: readonly string[]) {
  const articles = () => holds.flatMap((line) => articlesOf(line, kind, goods));
  const read = articlesById.get(id) ?? branded(articles(), path);
  articlesById.set(id, read);
  return read;
}

/**
 * Every article of every brand of a path, in an order in which neighbours differ, then again in its other sizes; loose
 * goods stand in it once.
 */
function branded(articles: readonly Article[], path: readonly TaxonomyNode[]): Article[] {
  const brands = brandsOf(path.map(({ goods }) => goods));
  const rounds = Math.max(1, ...articles.map(({ sizes }) => new Set(sizes).size));
  return Array.from({ length: rounds * brands.length }).flatMap((_, turn) =>
    articles.flatMap((article, index) => {
      if (article.goods.kind === 'loose') return turn === 0 ? [article] : [];
      const distinct = [...new Set(article.sizes)];
      const round = Math.floor(turn / brands.length);
      if (round > 0 && round >= distinct.length) return [];
      const maker = (index + turn) % brands.length;
      const { name, level, style } = brands[maker]!;
      const at = (distinct.indexOf(pick(article.sizes, hash(index, 111, maker))) + round) % distinct.length;
      const taste = article.level * (0.96 + 0.02 * ((index + 2 * turn) % 5));
      return [{ ...article, brand: name, maker, style, sizes: distinct.slice(at, at + 1), level: level * taste }];
    }),
  );
}

const articlesById = new Map<string, readonly Article[]>();

function articlesOf(line: string, usualKind: PackKind, shelf: string): Article[] {
  const [packs = '', pounds, names = '', made = '-', terms = ''] = line.split(/\s+: /);
  const [, kind = usualKind, sizes = ''] = /^([a-z]+ )?(.*)$/.exec(packs) ?? [];
  const [, month, percent] = /([A-Z]\w+) (\d+)/.exec(terms) ?? [];
  const goods: Goods = {
    kind: kind.trim() as PackKind,
    sizes: sizes === '-' ? [] : sizes.split(' ').map(Number),
    pence: Number(pounds) * 100,
    made: made === '-' ? null : made.replace(/\*(\w+)\*/g, '<strong>$1</strong>').split(/, (?![^(]*\))/),
    cheapest: month ? { month: months.indexOf(month.slice(0, 3)) + 1, share: Number(percent) / 100 } : null,
    meal: (/lunch|evening/.exec(terms)?.[0] as Goods['meal']) ?? null,
    alcohol: Number(/alcohol ([\d.]+)/.exec(terms)?.[1] ?? 0),
    isStaple: terms.includes('staple'),
    isFixed: terms.includes('fixed') || kind.trim() === 'loose',
    terms,
  };
  return names.split(/\s*; /).flatMap((group) => {
    const [firsts = '', last] = group.split(' + ');
    return firsts.split(', ').map((first) => {
      const name = (last ? `${first} ${last}` : first).replace('~', shelf);
      return { name, brand: null, maker: 0, style: 'plain', level: levelOf(name), goods, sizes: goods.sizes };
    });
  });
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function child(parent: Mutable, written: string, lines: SuperDepartmentLines, nodes: Mutable[]): Mutable {
  const name = spelled(written);
  return parent.children.find((node) => node.name === name) ?? add(written, parent, lines, nodes);
}

function add(written: string, parent: Mutable | null, lines: SuperDepartmentLines, nodes: Mutable[]): Mutable {
  const { season, inflation } = lines;
  const name = spelled(written.replace(/^\+/, ''));
  const above = parent?.path ?? [];
  const node: Mutable = {
    index: nodes.length,
    id: categoryIdOf([...above.map((ancestor) => ancestor.name), name]),
    name,
    goods: name.trim().replace(/\?$/, ''),
    label: labels[above.length]!,
    depth: above.length,
    path: [],
    children: [],
    season,
    articles: [],
    inflation,
    selection: null,
    first: 0,
    end: 0,
    secondaryLeaves: [],
    weight: 0,
  };
  node.path = [...above, node];
  parent?.children.push(node);
  nodes.push(node);
  return node;
}

function spelled(written: string): string {
  return written.replace(/_$/, ' ');
}

/** Assigns a contiguous block of slots to each leaf; sizes differ by a factor of up to three. */
function allot(leaves: readonly Mutable[], items: number, seed: number): void {
  const weights = leaves.map(({ weight }, index) => weight * (0.5 + fraction(hash(seed, 101, index))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  leaves.forEach((leaf, index) => {
    leaf.first = Math.round((reached / total) * items);
    reached += weights[index]!;
    leaf.end = index === leaves.length - 1 ? items : Math.round((reached / total) * items);
  });
}

/** Post-order traversal: children are complete before their parents. */
function gather(node: Mutable): void {
  if (node.children.length === 0) {
    if (node.selection) node.secondaryLeaves = [node];
    return;
  }
  const own = node.children.filter(({ first, end }) => end > first);
  node.first = own[0]?.first ?? 0;
  node.end = own.at(-1)?.end ?? node.first;
  node.secondaryLeaves = node.children.flatMap(({ secondaryLeaves }) => secondaryLeaves);
}

import { fraction, hash } from './hash.ts';
import type { PackKind } from './pack.ts';
import { type Season, type SuperDepartmentLines, taxonomyLines } from './taxonomy-lines.ts';

export type RegionCode = 'uk' | 'ie';

/** What a shelf sells: realistic sizes, prices and varieties. */
interface ShelfGoods {
  /** Grams, millilitres or pieces; null: those of its kind. */
  readonly sizes: readonly number[] | null;
  /** Pence for a kilogram, a litre or a piece. */
  readonly pence: number;
  readonly varieties: readonly string[];
  /** First ingredients; null: not food. */
  readonly made: readonly string[] | null;
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
  readonly kind: PackKind;
  readonly sold: ShelfGoods;
  /** Rise of its prices in a year, as a share. */
  readonly inflation: number;
  /** Whether it lists products of other categories; leaves only. */
  readonly isSecondary: boolean;
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

  const leaves = nodes.filter((node) => node.children.length === 0 && !node.isSecondary);
  allot(leaves, items, seed);
  for (const node of [...nodes].reverse()) gather(node);

  const firsts = Int32Array.from(leaves, ({ first }) => first);
  return {
    roots,
    byId: new Map(nodes.map((node) => [node.id, node])),
    leaves,
    secondaryLeaves: nodes.filter(({ isSecondary }) => isSecondary),
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
  let terms = { ...lines, sold: nothing };
  const root = add(lines.name, null, terms, nodes);
  for (const entry of lines.lines.trim().split(/\n(?! )/)) {
    const [, named = '', sells] = /^([^:]*)(?:\n +([^\n]+ : .*))?$/s.exec(entry) ?? [];
    const [names = '', kind = lines.kind] = named.replace('\n  ', ' ').split(' # ');
    terms = { ...terms, kind: kind as PackKind, sold: sells === undefined ? terms.sold : goodsOf(sells) };
    const [department = '', aisle = '', shelves] = names.split(' > ');
    const parent = child(child(root, department, terms, nodes), aisle, terms, nodes);
    for (const shelf of shelves?.split(' | ') ?? []) add(shelf, parent, terms, nodes);
  }
  const leaves = nodes.filter((node) => node.path[0] === root && node.children.length === 0);
  for (const leaf of leaves) leaf.weight = lines.weight / leaves.length;
  return root;
}

const nothing: ShelfGoods = { sizes: null, pence: 0, varieties: [], made: null };

function goodsOf(text: string): ShelfGoods {
  const [sizes = '', pounds, varieties = '', made = ''] = text.split(/\s+: /);
  return {
    sizes: sizes === '-' ? null : sizes.split(' ').map(Number),
    pence: Number(pounds) * 100,
    varieties: varieties.split(', '),
    made: made === '-' ? null : made.replace(/\*(\w+)\*/g, '<strong>$1</strong>').split(/, (?![^(]*\))/),
  };
}

/** The lines of a category, and the kind and goods of its shelves. */
type Terms = SuperDepartmentLines & { readonly sold: ShelfGoods };

function child(parent: Mutable, written: string, terms: Terms, nodes: Mutable[]): Mutable {
  const name = spelled(written);
  return parent.children.find((node) => node.name === name) ?? add(written, parent, terms, nodes);
}

function add(written: string, parent: Mutable | null, terms: Terms, nodes: Mutable[]): Mutable {
  const { kind, sold, season, inflation, role } = terms;
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
    kind,
    sold,
    inflation,
    isSecondary: above.length === 3 && (role === 'secondary' || written.startsWith('+')),
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
    if (node.isSecondary) node.secondaryLeaves = [node];
    return;
  }
  const own = node.children.filter(({ first, end }) => end > first);
  node.first = own[0]?.first ?? 0;
  node.end = own.at(-1)?.end ?? node.first;
  node.secondaryLeaves = node.children.flatMap(({ secondaryLeaves }) => secondaryLeaves);
}

import { type Answer, success } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Firing } from './fault-rules.ts';
import type { RegionCode, TaxonomyNode } from './taxonomy.ts';
import type { Question, World } from './world.ts';

/** `GET /get-category-id-for-uk` and `/get-category-ids-for-ireland`: the whole tree. */
export function answerTaxonomy(region: RegionCode, { firings }: Question, world: World): Answer {
  const catalogue = world.catalogues[region];
  const day = world.dayOf(region);
  const hidden = hiddenIds(catalogue, firings);
  if (firings.some(({ rule }) => rule.kind === 'emptyTaxonomy')) return success('{"taxonomy":[]}');

  const roots = catalogue.taxonomy.roots
    .filter((root) => catalogue.isInSeason(root, day) && !hidden.has(root.id))
    .map((root) => written(root, hidden, world.behaviour.taxonomyIds === 'leaves'));
  return success(JSON.stringify({ taxonomy: roots }));
}

interface WrittenNode {
  readonly name: string;
  readonly label: string;
  readonly id?: string;
  readonly children?: readonly (WrittenNode | null)[];
}

/** `withoutUpper`: superDepartments and departments without ids, as in the vendor's example. */
function written(node: TaxonomyNode, hidden: ReadonlySet<string>, withoutUpper: boolean): WrittenNode {
  const children = node.children
    .filter(({ id }) => !hidden.has(id))
    .map((child) => written(child, hidden, withoutUpper));
  return {
    name: node.name,
    label: node.label,
    ...(withoutUpper && node.depth < 2 ? {} : { id: node.id }),
    ...(node.children.length > 0
      ? { children: withNull(children, node) }
      : node.index % 3 === 0
        ? { children: [] }
        : {}),
  };
}

/** The vendor declares children nullable, so one department in eleven has a null child. */
function withNull(children: readonly WrittenNode[], { depth, index }: TaxonomyNode): readonly (WrittenNode | null)[] {
  return depth === 1 && index % 11 === 0 ? [...children, null] : children;
}

/** Ids hidden by `missingCategory` rules: the named ones, or the last `count` of the top level. */
function hiddenIds({ taxonomy }: Catalogue, firings: readonly Firing[]): ReadonlySet<string> {
  const rules = firings.filter(({ rule }) => rule.kind === 'missingCategory').map(({ rule }) => rule);
  return new Set(
    rules.flatMap(({ categories, count = 1 }) => categories ?? taxonomy.roots.slice(-count).map(({ id }) => id)),
  );
}

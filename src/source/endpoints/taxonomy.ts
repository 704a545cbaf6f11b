import { z } from 'zod';
import { ContractBroken } from '../../base/errors.ts';
import type { CategoryNode, RegionCode, Rejection } from '../../base/model/index.ts';
import { decodeCategoryId, encodeCategoryId, isKeepableCategoryId } from '../normalise/category-id.ts';
import { readLabel, storableText } from '../normalise/text.ts';
import { defineEndpoint, type Endpoint } from './define-endpoint.ts';
import { describeIssue, enveloped, readContract } from './envelope.ts';

export interface Taxonomy {
  /** In document order, parents before children; empty if the tree is empty. */
  readonly nodes: readonly CategoryNode[];
}

/** Category tree of the UK. The specification has the singular path; the vendor also documents the plural. */
export const ukTaxonomy = defineTaxonomy('uk-taxonomy', 'uk', ['/get-category-id-for-uk', '/get-category-ids-for-uk']);
export const ieTaxonomy = defineTaxonomy('ie-taxonomy', 'ie', ['/get-category-ids-for-ireland']);

/**
 * Parser of a region's category tree. A given id takes precedence; a missing id is computed from the path, and a
 * missing name is decoded from the id. Nodes without either, too deep or too long, and repeated ids are rejected.
 * Children of a repeated node are still read; those of a nameless node cannot be.
 */
function defineTaxonomy(
  name: string,
  region: RegionCode,
  paths: Endpoint<unknown, Taxonomy>['paths'],
): Endpoint<void, Taxonomy> {
  return defineEndpoint<void, Taxonomy>({
    name,
    listing: 'grocery',
    region,
    paths,
    query: () => ({}),

    read(body) {
      const { data } = readContract(name, Answer, body);
      const walk: Walk = { endpoint: name, nodes: [], ids: new Set(), rejected: [] };
      walkLevel(walk, data.taxonomy, 'data.taxonomy', null, [], 0);
      return { records: { nodes: walk.nodes }, rejected: walk.rejected };
    },
  });
}

const Answer = enveloped(z.object({ taxonomy: z.array(z.unknown()) }));

const Node = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string().min(1).max(1_000),
  label: z.unknown().optional(),
  children: z.array(z.unknown()).nullish(),
});

/** Rejection without loss: the category is known already, and its children are read. */
export const repeatedId = 'id: a category of this id came before';

interface Walk {
  readonly endpoint: string;
  readonly nodes: CategoryNode[];
  readonly ids: Set<string>;
  readonly rejected: Rejection[];
}

/** Real trees have four levels. */
const deepest = 15;
/** A region has about 8,000 nodes. */
const maxNodes = 100_000;
const labels = ['superDepartment', 'department', 'aisle', 'shelf'];

function walkLevel(
  walk: Walk,
  level: readonly unknown[],
  path: string,
  parentId: string | null,
  parentNames: readonly string[],
  depth: number,
): void {
  for (const [index, value] of level.entries()) {
    if (value === null) continue;
    if (walk.nodes.length + walk.rejected.length >= maxNodes) {
      throw new ContractBroken(walk.endpoint, [`data.taxonomy: more than ${maxNodes} nodes`]);
    }
    const place = `${path}[${index}]`;
    const outcome = Node.safeParse(completed(walk, value, place));
    if (!outcome.success || depth > deepest) {
      const issue = outcome.error?.issues[0];
      walk.rejected.push({
        path: place,
        reason: issue === undefined ? 'children: too deep' : describeIssue(issue),
        value,
      });
      continue;
    }
    const { id, name, label, children } = outcome.data;
    const given = id == null || id === '' ? null : storableText(String(id));
    const categoryId = given ?? encodeCategoryId([...parentNames, name]);
    if (!isKeepableCategoryId(categoryId)) {
      walk.rejected.push({ path: place, reason: 'id: too long', value: { id, name, label } });
      continue;
    }
    // An id may encode names that differ from the printed ones; ids below it must be computed from the encoded names.
    const names = (given === null ? null : decodeCategoryId(given)) ?? [...parentNames, name];
    if (walk.ids.has(categoryId)) {
      walk.rejected.push({ path: place, reason: repeatedId, value: { id, name, label } });
    } else {
      walk.ids.add(categoryId);
      walk.nodes.push({
        categoryId,
        parentId,
        name: readLabel(name) ?? storableText(name),
        label:
          typeof label === 'string' && label !== '' ? storableText(label.slice(0, 100)) : (labels[depth] ?? 'category'),
        depth,
      });
    }
    walkLevel(walk, children ?? [], `${place}.children`, categoryId, names, depth + 1);
  }
}

/** Completes a node: decodes a missing name from its id and drops children that are not a list. */
function completed(walk: Walk, value: unknown, place: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { id, name, children } = value as { id?: unknown; name?: unknown; children?: unknown };
  const isList = children == null || Array.isArray(children);
  if (!isList)
    walk.rejected.push({ path: `${place}.children`, reason: 'children: not a list', value: children, isPart: true });
  const told = name == null && typeof id === 'string' ? decodeCategoryId(id)?.at(-1) : undefined;
  return { ...value, ...(told && { name: told }), ...(!isList && { children: null }) };
}

import { createHash } from 'node:crypto';
import type { CategoryNode } from '../../base/model/index.ts';

/** A shelf to read, and the walked category that it is under. */
export interface Shelf {
  readonly node: CategoryNode;
  readonly rootId: string;
}

interface ShelvesWanted {
  /** Nights over which each shelf is read once; 0: none are read. */
  readonly nights: number;
  readonly date: string;
  readonly maxIdLength: number;
}

/**
 * Chooses the shelves (categories without children, below walked ones) that a night reads: every shelf once in any
 * `nights` consecutive nights, evenly spread by its id.
 */
export function shelvesOfNight(
  nodes: readonly CategoryNode[],
  walked: readonly CategoryNode[],
  { nights, date, maxIdLength }: ShelvesWanted,
): Shelf[] {
  if (nights === 0) return [];
  const parentOf = new Map(nodes.map(({ categoryId, parentId }) => [categoryId, parentId]));
  const parents = new Set(parentOf.values());
  const roots = new Set(walked.map(({ categoryId }) => categoryId));
  const day = Date.parse(date) / 86_400_000;
  return nodes.flatMap((node) => {
    const { categoryId } = node;
    if (parents.has(categoryId) || roots.has(categoryId) || categoryId.length > maxIdLength) return [];
    const place = createHash('md5').update(categoryId).digest().readUInt32BE();
    if ((place + day) % nights !== 0) return [];
    let rootId = node.parentId;
    while (rootId !== null && !roots.has(rootId)) rootId = parentOf.get(rootId) ?? null;
    return rootId === null ? [] : [{ node, rootId }];
  });
}

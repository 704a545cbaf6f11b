import type { CategoryNode } from '../model/index.ts';

export interface Frontier {
  /** The fewest categories that cover the taxonomy, top level first. */
  readonly walk: readonly CategoryNode[];
  /** Leaves that cannot be asked for and lie under nothing that can. */
  readonly uncovered: readonly CategoryNode[];
}

/** The categories to walk: the top level, and below it only where an id is too long to be asked for. */
export function planFrontier(nodes: readonly CategoryNode[], limits: { readonly maxIdLength: number }): Frontier {
  const childrenOf = groupByParent(nodes);
  const walk: CategoryNode[] = [];
  const uncovered: CategoryNode[] = [];
  const cover = (node: CategoryNode): void => {
    if (node.categoryId.length <= limits.maxIdLength) {
      walk.push(node);
      return;
    }
    const children = childrenOf.get(node.categoryId) ?? [];
    if (children.length === 0) uncovered.push(node);
    for (const child of children) cover(child);
  };
  for (const top of childrenOf.get(null) ?? []) cover(top);
  return { walk, uncovered };
}

function groupByParent(nodes: readonly CategoryNode[]): Map<string | null, CategoryNode[]> {
  const groups = new Map<string | null, CategoryNode[]>();
  for (const node of nodes) {
    const siblings = groups.get(node.parentId);
    if (siblings) siblings.push(node);
    else groups.set(node.parentId, [node]);
  }
  return groups;
}

import type { CategoryNode } from '../../base/model/index.ts';

export interface Frontier {
  /** The fewest categories that cover the taxonomy, top level first. */
  readonly toRead: readonly CategoryNode[];
  /** Leaves that cannot be requested and have no ancestor that can. */
  readonly uncovered: readonly CategoryNode[];
}

export interface FrontierLimits {
  readonly maxIdLength: number;
  /** Categories that need more requests than a night has. */
  readonly tooLarge?: ReadonlySet<string>;
}

/**
 * Plans the categories to read: the top level, replaced by its children if the id is too long to request, or if the
 * category is too large and all its children can be requested.
 */
export function planFrontier(nodes: readonly CategoryNode[], { maxIdLength, tooLarge }: FrontierLimits): Frontier {
  const childrenOf = groupByParent(nodes);
  const canAsk = ({ categoryId }: CategoryNode) => categoryId.length <= maxIdLength;
  const toRead: CategoryNode[] = [];
  const uncovered: CategoryNode[] = [];
  const cover = (node: CategoryNode): void => {
    const children = childrenOf.get(node.categoryId) ?? [];
    const isSplit = tooLarge?.has(node.categoryId) && children.length > 0 && children.every(canAsk);
    if (canAsk(node) && !isSplit) {
      toRead.push(node);
      return;
    }
    if (children.length === 0) uncovered.push(node);
    for (const child of children) cover(child);
  };
  for (const top of childrenOf.get(null) ?? []) cover(top);
  return { toRead, uncovered };
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

import type { CategoryNode, CategoryPage } from '../base/model/index.ts';
import type { Quota } from '../gateway/quota.ts';

/**
 * `kept`: the answer keeps to its contract; `partly`: elements of it do not; `broken`: it does not; `refused`: there
 * was none.
 */
export interface Checked {
  readonly endpoint: string;
  readonly asked: string;
  readonly outcome: 'kept' | 'partly' | 'broken' | 'refused';
  readonly said: string | null;
}

/** What the answers tell of the plan's limits. */
export interface LimitFacts {
  /** Names of the headers that tell of limits. */
  rate_headers: readonly string[];
  /** As the last answer told it; null: none told any. */
  quota: { readonly limit: number; readonly remaining: number; readonly resets_at: Date | null } | null;
  /** Whether `/health` is a request of the quota; null: the headers do not show it. */
  health_is_counted: boolean | null;
}

/**
 * Whether the second of two equal requests was counted. A counter that did not move, or moved by more than one, may
 * also lag.
 */
export function isCounted(before: Quota | null, after: Quota | null): boolean | null {
  if (before === null || after === null || before.limit !== after.limit) return null;
  return after.remaining < before.remaining;
}

/** How deep the tree goes, and at which path it is. */
export function taxonomyFacts(nodes: readonly CategoryNode[], request: string) {
  return {
    taxonomy_path: request,
    categories: nodes.length,
    category_labels: [...new Set(nodes.map(({ label }) => label))],
  };
}

/** Whether a page's counts agree, and what is on it that the documents leave open. */
export function pageFacts({
  declaredTotal,
  resultsPerPage,
  itemsDeclared,
  itemsReceived,
  nullNodes,
  products,
}: CategoryPage) {
  const promotions = products.flatMap((product) => product.promotions);
  return {
    results_per_page: resultsPerPage,
    declared_total: declaredTotal,
    items_declared: itemsDeclared,
    items_received: itemsReceived,
    null_elements: nullNodes,
    products_without_price: products.filter(({ priceMinor }) => priceMinor === null).length,
    offer_types: [...new Set(promotions.map(({ offerType }) => offerType))],
  };
}

/** The outline of an answer's `data`, two levels deep, lists by their first element. */
export function shapeOf(body: unknown): string {
  return outline((body as { data?: unknown } | null)?.data, 3);
}

function outline(value: unknown, depth: number): string {
  if (Array.isArray(value)) return `[${value.length === 0 || depth === 0 ? '' : outline(value[0], depth - 1)}]`;
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (depth === 0) return '{…}';
  const fields = Object.entries(value).slice(0, 12);
  return `{${fields.map(([name, child]) => `${name.slice(0, 40)}: ${outline(child, depth - 1)}`).join(', ')}}`;
}

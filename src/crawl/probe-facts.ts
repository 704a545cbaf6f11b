import type { CategoryNode, CategoryPage } from '../base/model/index.ts';
import type { Quota } from '../gateway/quota.ts';

/**
 * Result of one check. `kept`: the answer fulfils its contract; `partly`: some elements do not; `broken`: the envelope
 * does not; `refused`: the request was refused.
 */
export interface Checked {
  readonly endpoint: string;
  readonly asked: string;
  readonly outcome: 'kept' | 'partly' | 'broken' | 'refused';
  readonly said: string | null;
}

/** Limits of the plan according to the answers. */
export interface LimitFacts {
  /** Names of rate-limit headers. */
  rate_headers: readonly string[];
  /** Quota according to the last answer; null if no answer states one. */
  quota: { readonly limit: number; readonly remaining: number; readonly resets_at: Date | null } | null;
  /** Whether `/health` counts against the quota; null if the headers do not show it. */
  health_is_counted: boolean | null;
}

/**
 * Whether the second of two equal requests was counted. A counter that did not move, or moved by more than one, may
 * also lag behind.
 */
export function isCounted(before: Quota | null, after: Quota | null): boolean | null {
  if (before === null || after === null || before.limit !== after.limit) return null;
  return after.remaining < before.remaining;
}

/** Path, size and labels of the category tree. */
export function taxonomyFacts(nodes: readonly CategoryNode[], request: string) {
  return {
    taxonomy_path: request,
    categories: nodes.length,
    category_labels: [...new Set(nodes.map(({ label }) => label))],
  };
}

/** Counts of a page, and properties that the documentation leaves open. */
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

/** Outline of an answer's `data`, two levels deep; lists are described by their first element. */
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

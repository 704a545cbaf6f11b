import type { CategoryGroups } from './category-groups.ts';
import type { Published } from './indexed-period.ts';
import { unpackPricesAt, unpackSums } from './packed-panel.ts';
import { unpackComparisons, unpackFigures } from './packed-window.ts';
import { type Panel, type PricesAt, panelOf, pricesAt } from './panel.ts';
import type { StoredPanel } from './panel-store.ts';
import type { IndexerState, WindowPeriod } from './price-index.ts';

export interface StoredWindow {
  /** The periods before the next, the earliest first. */
  readonly earlier: readonly StoredPanel[];
  /** The next as far as it was known, where some of its nights are not new. */
  readonly begun: StoredPanel | undefined;
  readonly published: ReadonlyMap<string, Published>;
  readonly groups: CategoryGroups;
  readonly productKeys: Int32Array;
}

/** Where an indexer stood, from what was kept of it; null where something of that is missing, and all is compared again. */
export function stateOf({ earlier, begun, published, groups, productKeys }: StoredWindow): IndexerState | null {
  const last = begun ?? earlier.at(-1);
  if (!last?.comparisons) return null;
  const sums = unpackComparisons(last.comparisons, groups);
  const periods: WindowPeriod[] = [];
  for (const { start, packed, figures } of earlier) {
    if (!figures || (start !== last.start && !sums.has(start))) return null;
    const { since, ...totals } = unpackFigures(figures, groups);
    if (periods.some(({ period }) => !since.has(period.start))) return null;
    const prices = pricesOnDemand(start, packed, productKeys, groups);
    periods.push({ period: { start, ...totals, pricesAt: prices }, published: published.get(start)!, since });
  }
  const latest = panelOf(unpackSums(last.start, last.packed, productKeys, groups), groups);
  return { periods, comparisons: { latest, sums } };
}

/** One night asks once, for few products; many nights ask often. */
function pricesOnDemand(
  start: string,
  packed: Buffer,
  productKeys: Int32Array,
  groups: CategoryGroups,
): (places: Int32Array) => PricesAt {
  let isAsked = false;
  let panel: Panel | null = null;
  return (places) => {
    if (!isAsked) {
      isAsked = true;
      return unpackPricesAt(packed, places, productKeys, groups);
    }
    panel ??= panelOf(unpackSums(start, packed, productKeys, groups), groups);
    return pricesAt(panel, places);
  };
}

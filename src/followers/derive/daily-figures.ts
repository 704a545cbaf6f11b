import type { Transaction } from '../../db/client.ts';
import type { CategoryGroups } from './category-groups.ts';
import { forEachProduct, none, type Panel } from './price-index/panel.ts';
import { listing, type RegionNight, unknown } from './region-night.ts';
import { type Cell, copyRows } from './write-figures.ts';

interface NightToCount {
  readonly region: string;
  readonly date: string;
  readonly state: RegionNight;
  readonly panel: Panel;
  /** Panel of the previous certified night; null if there is none. */
  readonly before: Panel | null;
}

/**
 * Writes the daily figures of a night: one row for the region and one per category that has listed products on this
 * night or had products with a price on the previous one.
 */
export async function writeDailyFigures(tx: Transaction, night: NightToCount, groups: CategoryGroups): Promise<void> {
  const figures = {
    ...countProducts(night.state, groups),
    median_price_doubled: doubledMedians(night.state, groups),
    ...countMoves(night, groups),
  };
  const columns = Object.values(figures);
  const rows = groups.categoryKeys.flatMap((key, c): Cell[][] => {
    const isEmpty = figures.products_listed[c] === 0 && !figures.departures?.[c];
    return c > 0 && isEmpty ? [] : [[night.region, key, night.date, ...columns.map((column) => column?.[c] ?? null)]];
  });
  await copyRows(tx, 'daily_figure', ['region', 'category_key', 'snapshot_date', ...Object.keys(figures)], rows);
}

/** Counts by dense category number. All but `products_listed` count only products for sale at a known price. */
function countProducts({ listed, price, loyaltyPrice, onPromotion, group }: RegionNight, groups: CategoryGroups) {
  const column = () => new Float64Array(groups.categoryKeys.length);
  const counted = {
    products_listed: column(),
    products_priced: column(),
    products_available: column(),
    products_on_promotion: column(),
    products_with_loyalty_price: column(),
    price_sum_minor: column(),
    loyalty_discount_pct_sum: column(),
  };
  for (let i = 0; i < price.length; i++) {
    if (listed[i] === listing.none) continue;
    const [cost, loyalty] = [price[i]!, loyaltyPrice[i]!];
    const isOffered = listed[i] === listing.available && cost !== unknown;
    const hasLoyaltyPrice = isOffered && loyalty !== unknown;
    for (const c of groups.members(group[i]!)) {
      counted.products_listed[c]!++;
      if (!isOffered) continue;
      counted.products_priced[c]!++;
      counted.price_sum_minor[c]! += cost;
      counted.products_available[c]!++;
      if (onPromotion[i] === 1) counted.products_on_promotion[c]!++;
      if (hasLoyaltyPrice) counted.products_with_loyalty_price[c]!++;
      if (hasLoyaltyPrice && cost > 0) counted.loyalty_discount_pct_sum[c]! += ((cost - loyalty) / cost) * 100;
    }
  }
  return counted;
}

/** Factor that packs a price and a product's index into one number. */
const places = 2 ** 22;

/** Twice the median price of products for sale, because the median may lie between two prices; null without prices. */
function doubledMedians({ listed, price, group }: RegionNight, groups: CategoryGroups): (number | null)[] {
  const isOffered = (_: number, i: number) => listed[i] === listing.available && price[i] !== unknown;
  const byPrice = Float64Array.from(price, (cost, i) => cost * places + i)
    .filter(isOffered)
    .sort();
  const priced = new Int32Array(groups.categoryKeys.length);
  for (const each of byPrice) for (const c of groups.members(group[each % places]!)) priced[c]!++;
  const seen = new Int32Array(priced.length);
  const doubled = Array.from(priced, (count) => (count === 0 ? null : 0));
  for (const each of byPrice) {
    const i = each % places;
    for (const c of groups.members(group[i]!)) {
      const rank = ++seen[c]!;
      // Lower and upper middle element; the same one if the count is odd.
      if (rank === (priced[c]! + 1) >> 1) doubled[c]! += price[i]!;
      if (rank === (priced[c]! >> 1) + 1) doubled[c]! += price[i]!;
    }
  }
  return doubled;
}

/**
 * Counts arrivals, departures and price changes; price changes count in categories that a product belongs to on both
 * nights.
 */
function countMoves({ panel, before }: NightToCount, groups: CategoryGroups) {
  const column = () => (before ? new Int32Array(groups.categoryKeys.length) : null);
  const moves = { arrivals: column(), departures: column(), price_increases: column(), price_decreases: column() };
  if (!before) return moves;
  const count = (moved: Int32Array | null, group: number, by: 1 | -1) => {
    for (const c of groups.members(group)) moved![c]! += by;
  };
  forEachProduct(before, panel, (b, n) => {
    const isSame = b !== none && n !== none && before.group[b] === panel.group[n];
    if (isSame && before.shelf[b] === panel.shelf[n]) return;
    if (n !== none) count(moves.arrivals, panel.group[n]!, 1);
    if (b !== none) count(moves.departures, before.group[b]!, 1);
    if (n === none || b === none) return;
    const common = groups.intersection(before.group[b]!, panel.group[n]!);
    count(moves.arrivals, common, -1);
    count(moves.departures, common, -1);
    if (panel.shelf[n]! > before.shelf[b]!) count(moves.price_increases, common, 1);
    if (panel.shelf[n]! < before.shelf[b]!) count(moves.price_decreases, common, 1);
  });
  return moves;
}

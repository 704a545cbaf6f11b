import type { CategoryGroups } from './category-groups.ts';
import type { DailyFigures } from './daily-figures.ts';
import type { Cell } from './write-figures.ts';

/** The columns of `derived.daily_figure` as `dailyRows` fills them. */
export const dailyColumns = [
  'region',
  'category_key',
  'snapshot_date',
  'products_listed',
  'products_priced',
  'products_available',
  'products_on_promotion',
  'products_with_loyalty_price',
  'price_sum_minor',
  'median_price_doubled',
  'loyalty_discount_pct_sum',
  'arrivals',
  'departures',
  'price_increases',
  'price_decreases',
] as const;

/** A row a category in which something is listed or was the night before, and one for the region whatever it lists. */
export function* dailyRows(
  region: string,
  snapshotDate: string,
  figures: DailyFigures,
  groups: CategoryGroups,
  hasBefore: boolean,
): Generator<readonly Cell[]> {
  const moves = (column: Int32Array, c: number): Cell => (hasBefore ? column[c]! : null);
  for (const [c, key] of groups.categoryKeys.entries()) {
    if (c > 0 && figures.listed[c] === 0 && figures.departures[c] === 0) continue;
    yield [
      region,
      key,
      snapshotDate,
      figures.listed[c]!,
      figures.priced[c]!,
      figures.available[c]!,
      figures.onPromotion[c]!,
      figures.withLoyaltyPrice[c]!,
      figures.priceSum[c]!,
      figures.priced[c] === 0 ? null : figures.medianDoubled[c]!,
      figures.discountPctSum[c]!,
      moves(figures.arrivals, c),
      moves(figures.departures, c),
      moves(figures.increases, c),
      moves(figures.decreases, c),
    ];
  }
}

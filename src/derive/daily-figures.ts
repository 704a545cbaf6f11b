import type { CategoryGroups } from './category-groups.ts';

/** What is compared with the night after: which products had a price, which, and in which categories. */
export interface PricedProducts {
  /** Minor units, -1 for products without a price, and for those that were not listed. */
  readonly price: Int32Array;
  readonly group: Int32Array;
}

/** Figures by dense category number, the whole region being number 0; see the columns of `derived.daily_figure`. */
export interface DailyFigures {
  readonly listed: Int32Array;
  readonly priced: Int32Array;
  readonly available: Int32Array;
  readonly onPromotion: Int32Array;
  readonly withLoyaltyPrice: Int32Array;
  readonly priceSum: Float64Array;
  /** Twice the median; -1 without a price. */
  readonly medianDoubled: Int32Array;
  readonly discountPctSum: Float64Array;
  readonly arrivals: Int32Array;
  readonly departures: Int32Array;
  readonly increases: Int32Array;
  readonly decreases: Int32Array;
}

/** From groups to categories: each is the sum of the groups it is in. */
export function rollUp<Column extends Int32Array | Float64Array>(
  byGroup: Column,
  groups: CategoryGroups,
  categories: number,
): Column {
  const byCategory = new (byGroup.constructor as new (length: number) => Column)(categories);
  for (let g = 0; g < byGroup.length; g++) {
    const value = byGroup[g]!;
    if (value === 0) continue;
    const members = groups.members(g);
    for (let m = 0; m < members.length; m++) byCategory[members[m]!]! += value;
  }
  return byCategory;
}

import type { CategoryGroups } from './category-groups.ts';
import { listing, type RegionNight, unknown } from './region-night.ts';

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

/**
 * Twice the median price of each category. Products are gone through in the order of their price: the median of a category is
 * where half of its products have been seen.
 */
export function medians({ listed, price, group }: RegionNight, groups: CategoryGroups, priced: Int32Array): Int32Array {
  const doubled = priced.map((count) => (count === 0 ? unknown : 0));
  /** Products until the next that counts: the one in the middle counts twice, of two in the middle each once. */
  const left = priced.map((count) => (count + 1) >> 1);
  const timesLeft = priced.map(() => 2);
  const members = Array.from({ length: groups.size() }, (_, g) => groups.members(g));
  const see = (g: number, cost: number): void => {
    const categories = members[g]!;
    for (let m = 0; m < categories.length; m++) {
      const c = categories[m]!;
      if (--left[c]! !== 0) continue;
      const times = priced[c]! % 2 === 1 ? 2 : 1;
      doubled[c]! += times * cost;
      timesLeft[c]! -= times;
      if (timesLeft[c]! > 0) left[c] = 1;
    }
  };

  // Counted, because prices are small whole numbers; the few dear ones are sorted.
  const ends = new Int32Array(countedBelow + 1);
  const dear: { readonly cost: number; readonly group: number }[] = [];
  for (let i = 0; i < price.length; i++) {
    const cost = price[i]!;
    if (listed[i] === listing.none || cost === unknown) continue;
    if (cost < countedBelow) ends[cost + 1]!++;
    else dear.push({ cost, group: group[i]! });
  }
  for (let cost = 0; cost < countedBelow; cost++) ends[cost + 1]! += ends[cost]!;
  const byPrice = new Int32Array(ends[countedBelow]!);
  for (let i = 0; i < price.length; i++) {
    const cost = price[i]!;
    if (listed[i] !== listing.none && cost !== unknown && cost < countedBelow) byPrice[ends[cost]!++] = group[i]!;
  }
  // Each end has moved on to where the next price begins.
  let n = 0;
  for (let cost = 0; cost < countedBelow; cost++) for (; n < ends[cost]!; n++) see(byPrice[n]!, cost);
  for (const { cost, group: g } of dear.sort((a, b) => a.cost - b.cost)) see(g, cost);
  return doubled;
}

const countedBelow = 2 ** 15;

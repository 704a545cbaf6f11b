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

/** Counts a night, by category. `before` is the certified night before; null where there is none. */
export function countNight(night: RegionNight, groups: CategoryGroups, before: PricedProducts | null): DailyFigures {
  const common = before ? commonGroups(night.group, before.group, groups) : night.group;
  const sums = createSums(groups.size());
  const { listed, price, loyaltyPrice, onPromotion, group } = night;
  // One name each: a look-up by name for every product would cost more than the counting.
  const { priced, priceSum, available, withLoyaltyPrice, discountPctSum, arrivals, departures, increases, decreases } =
    sums;
  const [thenPrice, thenGroup] = [before?.price, before?.group];
  for (let i = 0; i < price.length; i++) {
    const is = listed[i]!;
    const g = group[i]!;
    const cost = is === listing.none ? unknown : price[i]!;
    if (is !== listing.none) sums.listed[g]!++;
    if (cost !== unknown) {
      priced[g]!++;
      priceSum[g]! += cost;
      if (is === listing.available) available[g]!++;
      if (onPromotion[i] === 1) sums.onPromotion[g]!++;
      const loyalty = loyaltyPrice[i]!;
      if (loyalty !== unknown) {
        withLoyaltyPrice[g]!++;
        if (cost > 0) discountPctSum[g]! += ((cost - loyalty) / cost) * 100;
      }
      arrivals[g]!++;
    }
    if (!thenPrice || !thenGroup) continue;
    const cost0 = thenPrice[i]!;
    if (cost0 === unknown) continue;
    departures[thenGroup[i]!]!++;
    if (cost === unknown) continue;
    // In the categories it was in on both nights it neither came nor went, and its price may have moved.
    const both = common[i]!;
    arrivals[both]!--;
    departures[both]!--;
    if (cost > cost0) increases[both]!++;
    if (cost < cost0) decreases[both]!++;
  }
  const categories = groups.categoryKeys.length;
  const rolled = Object.fromEntries(
    Object.entries(sums).map(([name, byGroup]) => [name, rollUp(byGroup, groups, categories)]),
  ) as unknown as Omit<DailyFigures, 'medianDoubled'>;
  return { ...rolled, medianDoubled: medians(night, groups, rolled.priced) };
}

export function pricedOf({ listed, price, group }: RegionNight): PricedProducts {
  return { price: price.map((cost, i) => (listed[i] === listing.none ? unknown : cost)), group: group.slice() };
}

/** The categories each product is in on both nights, as far as it had a price. */
function commonGroups(now: Int32Array, then: Int32Array, groups: CategoryGroups): Int32Array {
  return now.map((group, i) => (then[i] === group || then[i]! < 0 ? group : groups.intersection(group, then[i]!)));
}

function createSums(groups: number) {
  const counts = () => new Int32Array(groups);
  return {
    listed: counts(),
    priced: counts(),
    available: counts(),
    onPromotion: counts(),
    withLoyaltyPrice: counts(),
    priceSum: new Float64Array(groups),
    discountPctSum: new Float64Array(groups),
    arrivals: counts(),
    departures: counts(),
    increases: counts(),
    decreases: counts(),
  };
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

/** Of the prices of each category. Products are handed out in the order of their price, so every list comes out sorted. */
function medians({ listed, price, group }: RegionNight, groups: CategoryGroups, priced: Int32Array): Int32Array {
  const ends = new Int32Array(priced.length);
  let total = 0;
  for (let c = 0; c < priced.length; c++) {
    ends[c] = total;
    total += priced[c]!;
  }
  const sorted = new Int32Array(total);
  for (const i of byPrice(listed, price)) {
    const members = groups.members(group[i]!);
    for (let m = 0; m < members.length; m++) sorted[ends[members[m]!]!++] = price[i]!;
  }
  return priced.map((count, c) => {
    if (count === 0) return unknown;
    const start = ends[c]! - count;
    return sorted[start + ((count - 1) >> 1)]! + sorted[start + (count >> 1)]!;
  });
}

/** Places of products with a price, cheapest first: counted, because prices are small whole numbers; the few dear ones sorted. */
function byPrice(listed: Uint8Array, price: Int32Array): Int32Array {
  const ends = new Int32Array(countedBelow + 1);
  const dear: number[] = [];
  for (let i = 0; i < price.length; i++) {
    const cost = price[i]!;
    if (listed[i] === listing.none || cost === unknown) continue;
    if (cost < countedBelow) ends[cost + 1]!++;
    else dear.push(i);
  }
  for (let cost = 0; cost < countedBelow; cost++) ends[cost + 1]! += ends[cost]!;
  const counted = ends[countedBelow]!;
  const places = new Int32Array(counted + dear.length);
  for (let i = 0; i < price.length; i++) {
    const cost = price[i]!;
    if (listed[i] !== listing.none && cost !== unknown && cost < countedBelow) places[ends[cost]!++] = i;
  }
  places.set(
    dear.sort((a, b) => price[a]! - price[b]!),
    counted,
  );
  return places;
}

const countedBelow = 2 ** 15;

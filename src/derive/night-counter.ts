import type { CategoryGroups } from './category-groups.ts';
import { type DailyFigures, type PricedProducts, rollUp } from './daily-figures.ts';
import { createMedians } from './medians.ts';
import { createPriceSteps, type PriceSteps } from './price-steps.ts';
import { costAt, listing, type RegionNight, unknown } from './region-night.ts';

export interface NightCounter {
  /** Counts the next night, which differs from the one before it at no other places than those that changed; null: anywhere. */
  count(night: RegionNight, changed: Int32Array | null): CountedNight;
}

export interface CountedNight {
  readonly figures: DailyFigures;
  /** Against the night before; none where there is none. */
  readonly steps: PriceSteps;
}

/**
 * Counts nights one after the other, by category. What a night has in common with the one before it is not counted again: the
 * sums are of whole numbers, so it makes no difference. `before` is the certified night before the first; null where there is none.
 */
export function createNightCounter(groups: CategoryGroups, before: PricedProducts | null): NightCounter {
  let sums = createSums(0);
  const medians = createMedians(groups);
  /** As it was counted. Its prices are those of listed products. */
  let last: RegionNight | null = null;

  return {
    count(night, changed) {
      const places = changed ?? Int32Array.from(night.price.keys());
      const then = last ?? before;
      const both = then ? intersections(night.group, then.group, places, groups) : null;
      const size = groups.size();
      sums = grown(sums, size);
      const moves = createMoves(size);
      const steps = createPriceSteps();
      if (last) addUp(sums, last, places, -1);
      addUp(sums, night, places, 1);
      medians.move(last, night, places);
      if (then && both) compareNights({ moves, steps }, night, then, places, both);
      last ??= emptyLike(night);
      bringForward(last, night, places);

      const categories = groups.categoryKeys.length;
      const columns = { ...sums, ...moves, discountPctSum: discounts(night, size) };
      const rolled = Object.fromEntries(
        Object.entries(columns).map(([name, byGroup]) => [name, rollUp(byGroup, groups, categories)]),
      ) as unknown as Omit<DailyFigures, 'medianDoubled'>;
      return { figures: { ...rolled, medianDoubled: medians.doubled() }, steps };
    },
  };
}

type Sums = Pick<DailyFigures, 'listed' | 'priced' | 'available' | 'onPromotion' | 'withLoyaltyPrice' | 'priceSum'>;
type Moves = Pick<DailyFigures, 'arrivals' | 'departures' | 'increases' | 'decreases'>;

function addUp(sums: Sums, night: RegionNight, places: Int32Array, sign: 1 | -1): void {
  // One name each: a look-up by name for every product would cost more than the counting.
  const { listed, priced, available, onPromotion, withLoyaltyPrice, priceSum } = sums;
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    if (night.listed[i] === listing.none) continue;
    const g = night.group[i]!;
    listed[g]! += sign;
    const cost = night.price[i]!;
    if (cost === unknown) continue;
    priced[g]! += sign;
    priceSum[g]! += sign * cost;
    if (night.listed[i] === listing.available) available[g]! += sign;
    if (night.onPromotion[i] === 1) onPromotion[g]! += sign;
    if (night.loyaltyPrice[i] !== unknown) withLoyaltyPrice[g]! += sign;
  }
}

/** Only where something changed: what stayed neither came nor went. `both`: the categories of each place on both nights. */
function compareNights(
  { moves: { arrivals, departures, increases, decreases }, steps }: { moves: Moves; steps: PriceSteps },
  night: RegionNight,
  then: PricedProducts,
  places: Int32Array,
  both: Int32Array,
): void {
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    const [cost, cost0] = [costAt(night, i), then.price[i]!];
    if (cost !== cost0) {
      steps.productKeys.push(night.productKeys[i]!);
      steps.before.push(cost0);
      steps.after.push(cost);
    }
    if (cost !== unknown) arrivals[night.group[i]!]!++;
    if (cost0 === unknown) continue;
    departures[then.group[i]!]!++;
    if (cost === unknown) continue;
    // In the categories it was in on both nights it neither came nor went, and its price may have moved.
    const common = both[n]!;
    arrivals[common]!--;
    departures[common]!--;
    if (cost > cost0) increases[common]!++;
    if (cost < cost0) decreases[common]!++;
  }
}

/** Fractions, of which a sum depends on its order: always added up again. */
function discounts(night: RegionNight, groups: number): Float64Array {
  const sum = new Float64Array(groups);
  const { loyaltyPrice, price, listed, group } = night;
  for (let i = 0; i < price.length; i++) {
    const loyalty = loyaltyPrice[i]!;
    if (loyalty === unknown || listed[i] === listing.none) continue;
    const cost = price[i]!;
    if (cost > 0) sum[group[i]!]! += ((cost - loyalty) / cost) * 100;
  }
  return sum;
}

/** The categories that the product of each place is in on both nights. */
function intersections(now: Int32Array, then: Int32Array, places: Int32Array, groups: CategoryGroups): Int32Array {
  return places.map((i) => {
    const [group, group0] = [now[i]!, then[i]!];
    return group === group0 || group0 < 0 ? group : groups.intersection(group, group0);
  });
}

function emptyLike({ productKeys, group }: RegionNight): RegionNight {
  const { length } = productKeys;
  return {
    productKeys,
    listed: new Uint8Array(length),
    price: new Int32Array(length).fill(unknown),
    loyaltyPrice: new Int32Array(length).fill(unknown),
    onPromotion: new Uint8Array(length),
    group: group.slice(),
  };
}

function bringForward(last: RegionNight, night: RegionNight, places: Int32Array): void {
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    last.listed[i] = night.listed[i]!;
    last.price[i] = costAt(night, i);
    last.loyaltyPrice[i] = night.loyaltyPrice[i]!;
    last.onPromotion[i] = night.onPromotion[i]!;
    last.group[i] = night.group[i]!;
  }
}

function createSums(size: number): Sums {
  const counts = () => new Int32Array(size);
  return {
    listed: counts(),
    priced: counts(),
    available: counts(),
    onPromotion: counts(),
    withLoyaltyPrice: counts(),
    priceSum: new Float64Array(size),
  };
}

function createMoves(size: number): Moves {
  const counts = () => new Int32Array(size);
  return { arrivals: counts(), departures: counts(), increases: counts(), decreases: counts() };
}

/** With room for groups that have come since. */
function grown(sums: Sums, size: number): Sums {
  if (size <= sums.listed.length) return sums;
  const larger = createSums(size);
  for (const name of Object.keys(sums) as (keyof Sums)[]) larger[name].set(sums[name]);
  return larger;
}

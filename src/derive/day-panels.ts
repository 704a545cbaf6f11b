import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';
import { bases, logOf, type Panel } from './panel.ts';
import { listing, type RegionNight, unknown } from './region-night.ts';

export interface DayPanels {
  /** The panel of the next night, which differs from the one before it at no other places than those that changed; null: anywhere. */
  next(start: string, night: RegionNight, changed: Int32Array | null): Panel;
}

/** Panels of single nights, one after the other: what `panelOf` makes of each, at the cost of what changed. */
export function createDayPanels(groups: CategoryGroups): DayPanels {
  let last: Panel | null = null;
  /** By group; sums of whole numbers. */
  let sums = createSums(0);
  const price = { shelf: new Int32Array(0), member: new Int32Array(0) };

  return {
    next(start, night, changed) {
      const places = changed ?? Int32Array.from(night.price.keys());
      sums = grown(sums, groups.size());
      const products = night.price.length;
      for (const basis of bases) if (!last) price[basis] = new Int32Array(products).fill(unknown);
      const log = {
        shelf: last?.log.shelf.slice() ?? new Float64Array(products),
        member: last?.log.member.slice() ?? new Float64Array(products),
      };
      const group = last?.group.slice() ?? new Int32Array(products).fill(-1);
      for (let n = 0; n < places.length; n++) {
        const i = places[n]!;
        if (price.shelf[i] !== unknown) addUp(i, group[i]!, -1);
        const isPriced = night.listed[i] !== listing.none && night.price[i] !== unknown;
        const shelf = isPriced ? night.price[i]! : unknown;
        const member = isPriced && night.loyaltyPrice[i] !== unknown ? night.loyaltyPrice[i]! : shelf;
        price.shelf[i] = shelf;
        price.member[i] = member;
        log.shelf[i] = isPriced ? logOf(shelf) : Number.NaN;
        log.member[i] = isPriced ? logOf(member) : Number.NaN;
        group[i] = isPriced ? night.group[i]! : -1;
        if (isPriced) addUp(i, group[i]!, 1);
      }
      const categories = groups.categoryKeys.length;
      last = {
        start,
        log,
        group,
        priced: rollUp(sums.priced, groups, categories),
        priceSum: {
          shelf: rollUp(sums.shelf, groups, categories),
          member: rollUp(sums.member, groups, categories),
        },
      };
      return last;
    },
  };

  function addUp(i: number, group: number, sign: 1 | -1): void {
    sums.priced[group]! += sign;
    sums.shelf[group]! += sign * price.shelf[i]!;
    sums.member[group]! += sign * price.member[i]!;
  }
}

const createSums = (size: number) => ({
  priced: new Int32Array(size),
  shelf: new Float64Array(size),
  member: new Float64Array(size),
});

function grown(sums: ReturnType<typeof createSums>, size: number): typeof sums {
  if (size <= sums.priced.length) return sums;
  const larger = createSums(size);
  larger.priced.set(sums.priced);
  larger.shelf.set(sums.shelf);
  larger.member.set(sums.member);
  return larger;
}

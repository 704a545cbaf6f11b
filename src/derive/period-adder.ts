import type { PeriodSums } from './panel.ts';
import { listing, type RegionNight, unknown } from './region-night.ts';

/** Adds the nights of a period up. */
export interface PeriodAdder {
  /** Adds a night, which differs from the one before it at no other places than those that changed; null: anywhere. */
  add(night: RegionNight, changed: Int32Array | null): void;
  /** The sums of the nights so far. */
  sums(): PeriodSums;
}

/** A price that stays is added when it changes, or when the sums are asked for: once, not once a night. */
export function createPeriodAdder(sums: PeriodSums): PeriodAdder {
  const products = sums.nights.length;
  /** As they have been since the night of that number of the period; no price: `unknown`. */
  const shelf = new Int32Array(products).fill(unknown);
  const member = new Int32Array(products);
  const group = new Int32Array(products);
  const since = new Uint16Array(products);
  let nights = 0;

  function bringUpToDate(i: number): void {
    const stayed = nights - since[i]!;
    since[i] = nights;
    if (stayed === 0 || shelf[i] === unknown) return;
    sums.nights[i]! += stayed;
    sums.sum.shelf[i]! += stayed * shelf[i]!;
    sums.sum.member[i]! += stayed * member[i]!;
    sums.group[i] = group[i]!;
  }

  return {
    add(night, changed) {
      const { length } = changed ?? shelf;
      for (let n = 0; n < length; n++) {
        const i = changed ? changed[n]! : n;
        bringUpToDate(i);
        const price = night.listed[i] === listing.none ? unknown : night.price[i]!;
        const loyalty = night.loyaltyPrice[i]!;
        shelf[i] = price;
        member[i] = loyalty === unknown ? price : loyalty;
        group[i] = night.group[i]!;
      }
      nights++;
    },
    sums() {
      for (let i = 0; i < products; i++) bringUpToDate(i);
      return sums;
    },
  };
}

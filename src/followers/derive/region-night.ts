/** Unknown price. */
export const unknown = -1;

/** Listing state of a product on a night. */
export const listing = { none: 0, available: 1, unavailable: 2 } as const;

/** Products of a region on a night in columns, in the order of product keys. */
export interface RegionNight {
  /** Ascending. Includes products of all nights. */
  readonly productKeys: Int32Array;
  /** A value of `listing`. */
  readonly listed: Uint8Array;
  /** Minor units; -1 without a price. */
  readonly price: Int32Array;
  /** Minor units; -1 without a loyalty price. */
  readonly loyaltyPrice: Int32Array;
  /** 1 if any promotion is in effect. */
  readonly onPromotion: Uint8Array;
  /** Group of `CategoryGroups`. */
  readonly group: Int32Array;
}

export function emptyNight(productKeys: Int32Array, group: number): RegionNight {
  const { length } = productKeys;
  return {
    productKeys,
    listed: new Uint8Array(length),
    price: new Int32Array(length).fill(unknown),
    loyaltyPrice: new Int32Array(length).fill(unknown),
    onPromotion: new Uint8Array(length),
    group: new Int32Array(length).fill(group),
  };
}

/** Price of a product in minor units; unknown if it is not listed or has no price. */
export const costAt = ({ listed, price }: RegionNight, i: number): number =>
  listed[i] === listing.none ? unknown : price[i]!;

/** Nobody knows it. */
export const unknown = -1;

/** How a product is listed on a night. */
export const listing = { none: 0, available: 1, unavailable: 2 } as const;

/** A region's products on one night, in columns: entry n of each is the product with the nth lowest key. */
export interface RegionNight {
  /** Ascending. Products of all nights, whether or not listed on this one. */
  readonly productKeys: Int32Array;
  /** One of `listing`. */
  readonly listed: Uint8Array;
  /** Minor units, -1 without a price. */
  readonly price: Int32Array;
  /** Minor units, -1 without one. */
  readonly loyaltyPrice: Int32Array;
  /** 1 when any promotion is in effect. */
  readonly onPromotion: Uint8Array;
  /** Of `CategoryGroups`. */
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

/** Minor units of the product at a place; unknown where it is not listed, or without a price. */
export const costAt = ({ listed, price }: RegionNight, i: number): number =>
  listed[i] === listing.none ? unknown : price[i]!;

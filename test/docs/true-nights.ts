import type { RegionCode } from '../../src/base/model/index.ts';
import { dateOf, dayOf } from '../../src/simulator/calendar.ts';
import { createCatalogue } from '../../src/simulator/catalogue.ts';
import { type CatalogueOptions, defaultCatalogue } from '../../src/simulator/settings.ts';
import { type TruePackChange, truePackChanges } from '../../src/simulator/true-pack-changes.ts';
import { type TrueProduct, truth } from '../../src/simulator/truth.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';

export interface TrueNight {
  readonly date: string;
  readonly products: ReadonlyMap<string, TrueProduct>;
  /** Price at which each product was last for sale, in minor units: a price that is only shown is no offer. */
  readonly offered: ReadonlyMap<string, number | null>;
}

export interface TrueChange {
  readonly date: string;
  readonly productId: string;
  readonly old: number;
  readonly new: number;
}

export interface NightsAsked extends Partial<CatalogueOptions> {
  readonly nights: number;
  readonly lastNight: string;
}

/** The simulator's nights up to a date, earliest first. */
export function trueNights(region: RegionCode, { nights, lastNight, ...given }: NightsAsked): TrueNight[] {
  const catalogue = createCatalogue(region, { ...defaultCatalogue, ...given }, { withdrawn: 0 });
  const last = dayOf(lastNight);
  const lastOffered = new Map<string, number | null>();
  return Array.from({ length: nights }, (_, n) => {
    const day = last - nights + 1 + n;
    const products = new Map([...truth(catalogue, day)].map((one) => [one.productId, one]));
    for (const [id, { available, priceMinor }] of products) if (available) lastOffered.set(id, priceMinor);
    const offered = new Map([...products.keys()].map((id) => [id, lastOffered.get(id) ?? null]));
    return { date: dateOf(day), products, offered };
  });
}

/** The packs that change in those nights. */
export function packChangesOf(region: RegionCode, { nights, lastNight, ...given }: NightsAsked): TruePackChange[] {
  const catalogue = createCatalogue(region, { ...defaultCatalogue, ...given }, { withdrawn: 0 });
  const last = dayOf(lastNight);
  return [...truePackChanges(catalogue, last - nights + 1, last)];
}

/** Changes from one price to another, of products that are listed on both nights. */
export function priceChangesOf(nights: readonly TrueNight[]): TrueChange[] {
  return nights.flatMap(({ date, offered }, n) =>
    [...offered].flatMap(([productId, price]): TrueChange[] => {
      const old = nights[n - 1]?.offered.get(productId) ?? null;
      return old !== null && price !== null && old !== price ? [{ date, productId, old, new: price }] : [];
    }),
  );
}

/** Each product as last shown. */
export function lastShown(nights: readonly TrueNight[]): Map<string, TrueProduct> {
  return new Map(nights.flatMap(({ products }) => [...products]));
}

/** Products by the name of each department that shows them. */
export function byDepartment({ products }: TrueNight): Map<string, TrueProduct[]> {
  const departments = new Map<string, TrueProduct[]>();
  for (const product of products.values()) {
    const tops = product.categoryIds.map((id) => decodeCategoryId(id)!).filter((path) => path.length === 1);
    for (const [name] of tops) departments.set(name!, [...(departments.get(name!) ?? []), product]);
  }
  return departments;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

import type { RegionCode } from '../../src/base/model/index.ts';
import { dateOf, dayOf } from '../../src/simulator/calendar.ts';
import { createCatalogue } from '../../src/simulator/catalogue.ts';
import { type CatalogueOptions, defaultCatalogue } from '../../src/simulator/settings.ts';
import { type TrueProduct, truth } from '../../src/simulator/truth.ts';

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

/** Articles whose content is another than when they were last listed. */
export function packChangesOf(nights: readonly TrueNight[]) {
  const known = new Map<string, TrueProduct>();
  return nights.flatMap(({ date, products }) =>
    [...products.values()].flatMap((now) => {
      const article = now.goods.replace(/-less-\d+$/, '');
      const before = known.get(article);
      known.set(article, now);
      if (!before || before.pack.amount === now.pack.amount) return [];
      const isOther = before.productId !== now.productId;
      return {
        date,
        route: isOther ? 'relaunch' : before.gtin === now.gtin ? 'in_place' : 'new_gtin',
        productId: now.productId,
        formerProductId: isOther ? before.productId : null,
        oldAmount: before.pack.amount,
        newAmount: now.pack.amount,
        unit: now.pack.unit,
      };
    }),
  );
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

import { dateOf, midnightOf } from './calendar.ts';
import type { Catalogue } from './catalogue.ts';
import { normalMeasures, type Pack } from './pack.ts';
import { decimal } from './price.ts';
import type { Product } from './product.ts';
import { isInEffect, type Promotion } from './promotion.ts';

/** Expected data of a product after a faultless crawl. */
export interface TrueProduct {
  readonly productId: string;
  /** Without surrounding white space; inner white space stays. */
  readonly title: string;
  readonly titleServed: string;
  readonly brand: string | null;
  readonly gtin: string | null;
  /** The article, independent of its numbers: equal in both regions for the same article. */
  readonly goods: string;
  /** Without leading zeros. */
  readonly tpnb: string;
  readonly imageUrl: string;
  readonly available: boolean;
  /** Minor units; null: none. */
  readonly priceMinor: number | null;
  /** As served, with its unit: `0.72` per `100g`. */
  readonly unitPriceServed: string | null;
  readonly unitOfMeasureServed: string | null;
  /** Exact decimal per kg or litre if convertible: `7.2` per `kg`. */
  readonly unitPrice: string | null;
  readonly unitOfMeasure: string | null;
  /** Content: 1320 ml in 4 pieces. */
  readonly pack: Pick<Pack, 'amount' | 'unit' | 'count'>;
  /** Lowest loyalty price of this product in effect on the day. */
  readonly loyaltyPriceMinor: number | null;
  /** Whether a promotion is in effect on the day; listed promotions that have not begun do not count. */
  readonly onPromotion: boolean;
  /** All listed promotions. */
  readonly promotions: readonly TruePromotion[];
  /** All categories that list it: its own path, root first, then the second path. */
  readonly categoryIds: readonly string[];
}

export interface TruePromotion extends Omit<Promotion, 'startDay' | 'endDay'> {
  /** Instants as served, such as `2026-03-29T23:00:00Z`. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly inEffect: boolean;
}

/** Expected products of a day in slot order. */
export function* truth(catalogue: Catalogue, day: number): Generator<TrueProduct> {
  for (const slot of catalogue.present(day)) yield trueProduct(catalogue, slot, day);
}

function trueProduct(catalogue: Catalogue, slot: number, day: number): TrueProduct {
  const product = catalogue.product(slot, day);
  const inEffect = product.promotions.filter((promotion) => isInEffect(promotion, day));
  const ids = catalogue.leavesOf(slot, day).flatMap(({ path }) => path.map(({ id }) => id));
  return {
    productId: product.productId,
    title: product.title.trim(),
    titleServed: product.title,
    brand: product.brand,
    gtin: product.gtin,
    goods: product.goods,
    tpnb: product.tpnb,
    imageUrl: product.imageUrl,
    available: product.isForSale,
    priceMinor: product.priceMinor,
    ...unitPrices(product),
    pack: { amount: product.pack.amount, unit: product.pack.unit, count: product.pack.count },
    loyaltyPriceMinor: lowestLoyaltyPrice(inEffect),
    onPromotion: inEffect.length > 0,
    promotions: product.promotions.map(({ startDay, endDay, ...meaning }) => ({
      ...meaning,
      startsAt: startDay === null ? null : midnightOf(startDay),
      endsAt: endDay === null ? null : midnightOf(endDay),
      inEffect: isInEffect({ startDay, endDay, ...meaning }, day),
    })),
    categoryIds: [...new Set(ids)],
  };
}

/** Figures of a day, with the number of categories with products, all levels; reads the whole catalogue. */
export function summarise(catalogue: Catalogue, day: number) {
  const counts = { products: 0, available: 0, unpriced: 0, onPromotion: 0, withLoyaltyPrice: 0, inSeveralLeaves: 0 };
  const categories = new Set<string>();
  for (const slot of catalogue.present(day)) {
    const product = catalogue.product(slot, day);
    const inEffect = product.promotions.filter((promotion) => isInEffect(promotion, day));
    const leaves = catalogue.leavesOf(slot, day);
    counts.products += 1;
    if (product.isForSale) counts.available += 1;
    if (product.priceMinor === null) counts.unpriced += 1;
    if (inEffect.length > 0) counts.onPromotion += 1;
    if (inEffect.some(({ loyaltyPriceMinor }) => loyaltyPriceMinor !== null)) counts.withLoyaltyPrice += 1;
    if (leaves.length > 1) counts.inSeveralLeaves += 1;
    for (const { path } of leaves) for (const { id } of path) categories.add(id);
  }
  return { region: catalogue.region, date: dateOf(day), ...counts, categories: categories.size };
}

/** A product may have several loyalty prices; members pay the lowest. */
function lowestLoyaltyPrice(inEffect: readonly Promotion[]): number | null {
  const prices = inEffect.flatMap(({ loyaltyPriceMinor }) => (loyaltyPriceMinor === null ? [] : [loyaltyPriceMinor]));
  return prices.length === 0 ? null : Math.min(...prices);
}

function unitPrices({ unitPriceMinor, unitOfMeasure }: Product) {
  if (unitPriceMinor === null) {
    return { unitPriceServed: null, unitOfMeasureServed: null, unitPrice: null, unitOfMeasure: null };
  }
  const [measure, factor] = normalMeasures[unitOfMeasure ?? ''] ?? [unitOfMeasure, 1];
  return {
    unitPriceServed: decimal(unitPriceMinor),
    unitOfMeasureServed: unitOfMeasure,
    unitPrice: decimal(unitPriceMinor * factor),
    unitOfMeasure: measure,
  };
}

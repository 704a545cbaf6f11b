import { dateOf, midnightOf } from './calendar.ts';
import type { Catalogue } from './catalogue.ts';
import { normalMeasures, type Pack } from './pack.ts';
import { decimal } from './price.ts';
import type { Product } from './product.ts';
import { isInEffect, type Promotion } from './promotion.ts';
import type { RegionCode } from './taxonomy.ts';

/** What a faultless crawl of a day must know of a product. */
export interface TrueProduct {
  readonly productId: string;
  /** Without the white space that upstream leaves at the ends of some; inside, it stays. */
  readonly title: string;
  readonly titleServed: string;
  readonly brand: string | null;
  readonly gtin: string | null;
  /** The article itself, whatever its numbers: equal in both regions for what is the same. */
  readonly goods: string;
  /** Without leading zeros. */
  readonly tpnb: string;
  readonly imageUrl: string;
  readonly available: boolean;
  /** Minor units; null: upstream shows none. */
  readonly priceMinor: number | null;
  /** As served, with its unit: `0.72` per `100g`. */
  readonly unitPriceServed: string | null;
  readonly unitOfMeasureServed: string | null;
  /** Exact decimals per kg or litre where the served unit is a part of one: `7.2` per `kg`. */
  readonly unitPrice: string | null;
  readonly unitOfMeasure: string | null;
  /** What is in it: 1320 ml in 4 pieces. */
  readonly pack: Pick<Pack, 'amount' | 'unit' | 'count'>;
  /** The unit price is not what follows from price and pack. */
  readonly isUnitPriceWrong: boolean;
  /** The lowest of the loyalty prices for this one product that count on the day. */
  readonly loyaltyPriceMinor: number | null;
  /** A promotion counts on the day; listed ones that have not begun do not. */
  readonly onPromotion: boolean;
  /** All that are listed. */
  readonly promotions: readonly TruePromotion[];
  /** Every category that lists it: its own path root first, then the second one's. */
  readonly categoryIds: readonly string[];
}

export interface TruePromotion extends Omit<Promotion, 'startDay' | 'endDay'> {
  /** Instants as served, e.g. `2026-03-29T23:00:00Z`. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly inEffect: boolean;
}

export interface TruthSummary {
  readonly region: RegionCode;
  readonly date: string;
  readonly products: number;
  readonly available: number;
  readonly unpriced: number;
  readonly onPromotion: number;
  readonly withLoyaltyPrice: number;
  readonly inSeveralLeaves: number;
  /** Categories that list at least one product, all levels. */
  readonly categories: number;
}

/** A day's catalogue, product by product, in slot order. */
export function* truth(catalogue: Catalogue, day: number): Generator<TrueProduct> {
  for (const slot of catalogue.present(day)) yield trueProduct(catalogue, slot, day);
}

/** One product's truth. */
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
    isUnitPriceWrong: product.packLife.isMispriced && product.unitPriceMinor !== null,
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

/** A day's figures; walks the whole catalogue. */
export function summarise(catalogue: Catalogue, day: number): TruthSummary {
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

/** A product may carry several loyalty prices at once; a member pays the lowest. */
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

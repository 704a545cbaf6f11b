import type { Promotion } from './promotion.ts';

/** One product as a category page or a search shows it: what it is, and its offer at that moment. */
export interface ListedProduct {
  /** The id in product URLs (tpnc). A string always: ids arrive as string or number. */
  readonly productId: string;
  /** Base product number without leading zeros. */
  readonly tpnb: string | null;
  /** 14 digits, zero padded. An attribute, never a key. */
  readonly gtin: string | null;
  /** Null: it could not be read. */
  readonly title: string | null;
  readonly brand: string | null;
  /** Without the size request (`?h=225&w=225`), which is not part of its identity. */
  readonly imageUrl: string | null;
  /** In the catalogue and orderable; false products often still have a price. Null: it could not be read. */
  readonly isForSale: boolean | null;
  /** Pence or cents; null is unknown and never 0. */
  readonly priceMinor: number | null;
  /** Exact decimal in major units per `unitOfMeasure`, e.g. `7.2`. */
  readonly unitPrice: string | null;
  /** Normalised measure: `kg`, `litre`, `each`, `kg DR.WT` … (100g and 10g become kg). */
  readonly unitOfMeasure: string | null;
  /** Whose offer the price is; null: the payload names no seller. */
  readonly seller: string | null;
  /** Typical weight of a product that is priced by the kilogram; null for products of one weight. */
  readonly catchWeightGrams: number | null;
  /** What is paid beside the price, as received; null: nothing. */
  readonly charges: readonly unknown[] | null;
  /** Container deposits among the charges, minor units. */
  readonly depositMinor: number | null;
  readonly promotions: readonly Promotion[];
  /** Category ids of the breadcrumb, root first; empty when the payload has none. */
  readonly breadcrumb: readonly string[];
}

/** What a product-details payload adds to the listing. Texts are plain, one line, HTML removed. */
export interface ProductDetail {
  readonly productId: string;
  readonly tpnb: string | null;
  readonly gtin: string | null;
  readonly title: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  readonly ingredients: string | null;
  /** Sorted, distinct, lower case: from `allergenInfo` and from what ingredients print in bold. */
  readonly allergens: readonly string[];
  /** Content of the whole pack, an exact decimal in `packMeasure`; from `packSize`, otherwise from the title. */
  readonly packSize: string | null;
  readonly packMeasure: 'g' | 'ml' | 'each' | null;
  /** Pieces in the pack, when it says so. */
  readonly packCount: number | null;
  readonly storage: string | null;
  readonly productType: string | null;
  /** The upstream's word: AvailableForSale, Unavailable, ExcludedProduct, ProductNotFound … */
  readonly status: string | null;
  readonly priceMinor: number | null;
  readonly nutrition: readonly NutritionValue[];
  readonly catchWeightGrams: number | null;
  readonly charges: readonly unknown[] | null;
  readonly depositMinor: number | null;
  readonly breadcrumb: readonly string[];
}

/** One nutrient in one column of the table. `amount` is an exact decimal in `unit`. */
export interface NutritionValue {
  /**
   * `energy-kj`, `energy-kcal`, `fat`, `saturates`, `carbohydrate`, `sugars`, `fibre`, `protein`, `salt`, or a slug of
   * the printed name.
   */
  readonly nutrient: string;
  /** What the amount is per: `100g`, `100ml`, `serving`, `pack`, or `unknown`. */
  readonly basis: string;
  readonly amount: string;
  readonly unit: 'kJ' | 'kcal' | 'g' | 'mg' | 'µg' | 'IU' | 'unknown';
  /** `<0.5g` and `trace` are upper bounds, not amounts. */
  readonly isUpperBound: boolean;
  readonly printed: string;
}

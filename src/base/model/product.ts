import type { Promotion } from './promotion.ts';

/** A product on a category or search page, with its offer at that moment. */
export interface ListedProduct {
  /** Id in product URLs (tpnc). Always a string, although payloads contain strings or numbers. */
  readonly productId: string;
  /** Base product number without leading zeros. */
  readonly tpnb: string | null;
  /** 14 digits, zero padded. Not unique, so never a key. */
  readonly gtin: string | null;
  /** Null: missing or unreadable. */
  readonly title: string | null;
  readonly brand: string | null;
  /** Without the size parameters (`?h=225&w=225`), which do not identify the image. */
  readonly imageUrl: string | null;
  /** Whether the product can be ordered; products not for sale often still have a price. Null: unreadable. */
  readonly isForSale: boolean | null;
  /** Pence or cents; null: unknown. Never 0. */
  readonly priceMinor: number | null;
  /** Exact decimal in major units per `unitOfMeasure`, such as `7.2`. */
  readonly unitPrice: string | null;
  /** Normalised measure: `kg`, `litre`, `each`, `kg DR.WT` … (100g and 10g become kg). */
  readonly unitOfMeasure: string | null;
  /** Seller of the offer; null: the payload names none. */
  readonly seller: string | null;
  /** Typical weight of a product priced by the kilogram; null for products of fixed weight. */
  readonly catchWeightGrams: number | null;
  /** Charges on top of the price, as received; null: none. */
  readonly charges: readonly unknown[] | null;
  /** Container deposits among the charges, in minor units. */
  readonly depositMinor: number | null;
  readonly promotions: readonly Promotion[];
  /** Category ids of the breadcrumb, root first; empty if the payload has none. */
  readonly breadcrumb: readonly string[];
  /** Values of EXTRA_FIELDS by name; null: none. */
  readonly extra?: Readonly<Record<string, string | number | boolean>> | null;
}

/** Fields that the details add to the product. Texts are plain, on one line, without HTML. */
export interface ProductDetail {
  readonly productId: string;
  readonly gtin: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly ingredients: string | null;
  /** Sorted, distinct, in lower case; from `allergenInfo` and from ingredients in bold print. */
  readonly allergens: readonly string[];
  /** Content of the whole pack, an exact decimal in `packMeasure`. */
  readonly packSize: string | null;
  readonly packMeasure: 'g' | 'ml' | 'each' | null;
  /** Number of pieces in the pack; null: not stated. */
  readonly packCount: number | null;
  readonly storage: string | null;
  readonly productType: string | null;
  /** Status as received: AvailableForSale, Unavailable, ExcludedProduct, ProductNotFound … */
  readonly status: string | null;
  readonly priceMinor: number | null;
  readonly nutrition: readonly NutritionValue[];
  readonly catchWeightGrams: number | null;
  readonly charges: readonly unknown[] | null;
  readonly depositMinor: number | null;
  readonly breadcrumb: readonly string[];
  readonly extra?: ListedProduct['extra'];
}

/** One cell of the nutrition table. `amount` is an exact decimal in `unit`. */
export interface NutritionValue {
  /** `energy-kj`, `energy-kcal`, `fat`, `saturates`, `carbohydrate`, `sugars`, `fibre`, `protein` or `salt`. */
  readonly nutrient: string;
  /** Basis of the amount: `100g`, `100ml`, another heading as printed, or `unknown` without one. */
  readonly basis: string;
  readonly amount: string;
  readonly unit: 'kJ' | 'kcal' | 'g' | 'mg' | 'unknown';
  /** `<0.5g` is an upper bound, not an amount. */
  readonly isUpperBound: boolean;
  readonly printed: string;
}

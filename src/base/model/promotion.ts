export const promotionKinds = [
  'loyalty_price', // loyalty price of one product: £2.50 Clubcard Price
  'loyalty_unit_price', // loyalty price per weight or volume: £1.50 per kg Clubcard Price
  'multibuy', // any N for £X; may have several tiers
  'n_for_m', // 3 for 2, cheapest free
  'meal_deal', // price of a bundle, sometimes two (loyalty and regular)
  'save_percent', // save 25% when you buy 6 or more; without a price
  'price_cut', // promotional price for everybody
  'unknown', // not understood
] as const;
export type PromotionKind = (typeof promotionKinds)[number];

/** A promotion of a product. */
export interface Promotion {
  /** As received, without surrounding white space and control characters. */
  readonly description: string;
  readonly offerType: string | null;
  /** UTC instants of local midnights in the region. The end is exclusive. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** Parsed when it is first needed: the catalogue already has most promotions of a night. */
  readonly meaning: PromotionMeaning;
}

/** Meaning of a promotion text. All fields but `kind` are null unless the text states them unambiguously. */
export interface PromotionMeaning {
  readonly kind: PromotionKind;
  /** Price of one product for members, in minor units. Only for `loyalty_price`. */
  readonly loyaltyPriceMinor: number | null;
  /** Exact decimal in major units per `loyaltyUnitMeasure`. Only for `loyalty_unit_price`. */
  readonly loyaltyUnitPrice: string | null;
  readonly loyaltyUnitMeasure: string | null;
  /** Number of products that the deal requires (first tier). */
  readonly quantity: number | null;
  /** Number of products to pay for (`3 for 2`: 2). */
  readonly payQuantity: number | null;
  /**
   * Total price of `quantity` products or of the bundle, in minor units (first tier; the loyalty price if there are
   * two).
   */
  readonly dealPriceMinor: number | null;
  /** Exact decimal percentage: `25`, `33.33`, `50`. */
  readonly savePercent: string | null;
  /** Former price of one product, in minor units. Null unless exactly one is stated. */
  readonly wasPriceMinor: number | null;
  /** Current price of one product for everybody, in minor units. Only for `price_cut`. */
  readonly nowPriceMinor: number | null;
  /** Reduction of the price of one product, in minor units. Null for deals on several products. */
  readonly savingMinor: number | null;
  /** Container deposit stated by the text, in minor units; paid on top of the price unless the text includes it. */
  readonly depositMinor: number | null;
}

export const promotionKinds = [
  'loyalty_price', // one product, one loyalty price: £2.50 Clubcard Price
  'loyalty_unit_price', // a loyalty price per weight or volume: £1.50 per kg Clubcard Price
  'multibuy', // any N for £X; several tiers possible
  'n_for_m', // 3 for 2, cheapest free
  'meal_deal', // a bundle price, sometimes two (loyalty and regular)
  'save_percent', // save 25 % when you buy 6 or more; no price of its own
  'price_cut', // an ordinary (not loyalty) promotional price
  'unknown', // not understood, and so not guessed
] as const;
export type PromotionKind = (typeof promotionKinds)[number];

/** A promotion as listed on a product, and what its text means. */
export interface Promotion extends PromotionMeaning {
  /** Verbatim but for white space at the ends and control characters. */
  readonly description: string;
  readonly offerType: string | null;
  /** Instants: UTC renderings of region-local midnights. The end is exclusive. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

/** What a promotion text says. Every field but `kind` is null unless the text states it without doubt. */
export interface PromotionMeaning {
  readonly kind: PromotionKind;
  /** Price of one product for loyalty members, minor units. Only for `loyalty_price`. */
  readonly loyaltyPriceMinor: number | null;
  /** Exact decimal, major units per `loyaltyUnitMeasure`. Only for `loyalty_unit_price`. */
  readonly loyaltyUnitPrice: string | null;
  readonly loyaltyUnitMeasure: string | null;
  /** How many products the deal needs (first tier). */
  readonly quantity: number | null;
  /** How many of them are paid for (`3 for 2`: 2). */
  readonly payQuantity: number | null;
  /**
   * What `quantity` products, or the bundle, cost together, minor units (first tier, loyalty price where there are
   * two).
   */
  readonly dealPriceMinor: number | null;
  /** Exact decimal percent: `25`, `33.33`, `50`. */
  readonly savePercent: string | null;
  /** What one product used to cost, minor units. Only where one such price is stated. */
  readonly wasPriceMinor: number | null;
  /** What one product costs now, for everybody, minor units. Only for `price_cut`. */
  readonly nowPriceMinor: number | null;
  /** What is taken off the price of one product, minor units. Not for deals on several. */
  readonly savingMinor: number | null;
  /** Deposit for containers that the text states, minor units; it is paid beside the price unless the text includes it. */
  readonly depositMinor: number | null;
}

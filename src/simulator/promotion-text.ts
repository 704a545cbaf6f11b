import { pick } from './hash.ts';
import type { Pack } from './pack.ts';
import { decimal } from './price.ts';

/** Meaning of a promotion and its text. */
export interface PromotionMeaning {
  readonly kind:
    | 'loyalty_price'
    | 'loyalty_unit_price'
    | 'multibuy'
    | 'n_for_m'
    | 'meal_deal'
    | 'save_percent'
    | 'price_cut'
    | 'unknown';
  readonly loyaltyPriceMinor: number | null;
  readonly loyaltyUnitPrice: string | null;
  readonly loyaltyUnitMeasure: string | null;
  readonly quantity: number | null;
  readonly payQuantity: number | null;
  readonly dealPriceMinor: number | null;
  readonly savePercent: string | null;
  readonly description: string;
  readonly offerType: string | null;
}

export interface PromotedProduct {
  readonly region: 'uk' | 'ie';
  readonly base: number;
  readonly pack: Pack;
  /** Name of the group that the deal covers, trimmed. */
  readonly range: string;
}

/** A loyalty price of one product. `draw` selects the wording. */
export function loyaltyPrice(product: PromotedProduct, draw: number): PromotionMeaning {
  const { base, pack, region } = product;
  if (pack.priced !== 'pack') {
    const isClaim = draw % 2 === 0;
    const unitMinor = isClaim ? Math.round(base * 0.75) : toFive(base * 0.8);
    const price = `${money(unitMinor, region)} per kg Clubcard Price`;
    return {
      ...silent,
      kind: 'loyalty_unit_price',
      loyaltyUnitPrice: decimal(unitMinor),
      loyaltyUnitMeasure: 'kg',
      savePercent: isClaim ? '25' : null,
      description: isClaim ? `Save 25% ${price}` : price,
    };
  }
  const [share, words, savePercent] = pick(claims, draw);
  const minor = words === '' ? toFive(base * share) : Math.max(1, Math.round(base * share));
  return {
    ...silent,
    kind: 'loyalty_price',
    loyaltyPriceMinor: minor,
    savePercent,
    description: `${money(minor, region, (draw >>> 8) % 2 === 0)} ${words}Clubcard Price`,
  };
}

/** A deal on several products, with the same text for a whole group. */
export function groupDeal(product: PromotedProduct, family: number, draw: number): PromotionMeaning {
  const { base, region, range } = product;
  const number = 2 + (draw % 4);
  const deal = Math.max(50, Math.round((base * number * 0.8) / 50) * 50);

  const price = short(deal, region);
  const said = (kind: PromotionMeaning['kind'], description: string, terms: Partial<PromotionMeaning>) => {
    return { ...silent, kind, description, ...terms };
  };
  if (family < 46) {
    const one = { quantity: number, dealPriceMinor: deal };
    if (family < 36) return said('multibuy', `Any ${number} for ${price} Clubcard Price - Selected ${range}`, one);
    const twice = `${number * 2} for ${short(deal * 2 - 50, region)}`;
    return said('multibuy', `${number} for ${price} or ${twice} Clubcard Price - ${range}`, one);
  }
  if (family < 64) {
    const description = `Any ${number + 1} for ${number} Clubcard Price - Cheapest Product Free - Selected ${range}`;
    return said('n_for_m', description, { quantity: number + 1, payQuantity: number });
  }
  if (family < 74) {
    const description = `Buy 6 or more Save 25% Clubcard Price - Save 25% On Selected ${range} When You Buy 6 +`;
    return said('save_percent', description, { quantity: 6, savePercent: '25' });
  }
  if (family < 93) {
    const what = pick(['NOODLE BAR', 'PASTA NIGHT', 'CURRY HOUSE'], draw);
    const description =
      family < 88
        ? `${price} Meal Deal Clubcard Price ${money(deal + 50, region)} Meal Deal Regular Price - ` +
          `Selected ${range} + Snack + Drink`
        : `${what} Meal Deal for ${price} Clubcard Price - Buy 1 Main, 1 Side & 1 Sauce`;
    return said('meal_deal', description, { dealPriceMinor: deal });
  }
  const short4 = range.slice(0, 4).toUpperCase();
  const description = pick(['Triple Points on Selected Lines', 'New Recipe', `CC ${short4} 3 F 2`], draw);
  return said('unknown', description, { offerType: draw % 2 === 0 ? 'CLUBCARD_PRICING' : null });
}

/** A reduction for everybody, already included in the shelf price. */
export function ordinaryCut(product: PromotedProduct, draw: number): PromotionMeaning {
  const was = money(Math.round(product.base * 1.2) + 1, product.region);
  const now = money(product.base, product.region);
  return {
    ...silent,
    kind: 'price_cut',
    offerType: null,
    description: draw % 2 === 0 ? `Was ${was} Now ${now}` : `Only ${now}`,
  };
}

/** Wordings of a price of one product: share of the base price, claim, and stated saving. */
const claims: readonly (readonly [share: number, words: string, savePercent: string | null])[] = [
  [0.85, '', null],
  [0.8, '', null],
  [0.85, '', null],
  [0.7, '', null],
  [0.75, 'Save 25% ', '25'],
  [2 / 3, 'Save 1/3 ', '33.33'],
  [0.5, 'Half Price ', '50'],
  [0.45, 'Better than Half Price ', null],
];

const silent: PromotionMeaning = {
  kind: 'unknown',
  loyaltyPriceMinor: null,
  loyaltyUnitPrice: null,
  loyaltyUnitMeasure: null,
  quantity: null,
  payQuantity: null,
  dealPriceMinor: null,
  savePercent: null,
  description: '',
  offerType: 'CLUBCARD_PRICING',
};

function toFive(minor: number): number {
  return Math.max(5, Math.round(minor / 5) * 5);
}

/** `£2.50`; below a pound sometimes `75p`. */
function money(minor: number, region: 'uk' | 'ie', inPence = false): string {
  if (inPence && minor < 100 && region === 'uk') return `${minor}p`;
  return `${region === 'uk' ? '£' : '€'}${(minor / 100).toFixed(2)}`;
}

/** `£3`, `£3.50`. */
function short(minor: number, region: 'uk' | 'ie'): string {
  return minor % 100 === 0 ? `${region === 'uk' ? '£' : '€'}${minor / 100}` : money(minor, region);
}

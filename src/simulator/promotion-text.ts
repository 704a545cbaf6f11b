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
  /** Changing price in minor units: of the pack, or of a kilogram if sold by weight. */
  readonly base: number;
  readonly pack: Pack;
  /** Meal deals that include it. */
  readonly meal: 'lunch' | 'evening' | null;
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
  const minor = Math.max(1, words === '' && base >= 50 ? toFive(base * share) : Math.round(base * share));
  return {
    ...silent,
    kind: 'loyalty_price',
    loyaltyPriceMinor: minor,
    savePercent,
    description: `${money(minor, region, (draw >>> 8) % 2 === 0)} ${words}Clubcard Price`,
  };
}

/** A deal on several products, with the same text for products of a group at about the same price; null: none fits. */
export function groupDeal(product: PromotedProduct, family: number, draw: number): PromotionMeaning | null {
  const { base, region, range, meal } = product;
  const said = (kind: PromotionMeaning['kind'], description: string, terms: Partial<PromotionMeaning>) => {
    return { ...silent, kind, description, ...terms };
  };
  if (meal !== null && (meal === 'lunch' || family < 60)) {
    const deal = meal === 'lunch' ? 350 + 50 * (draw % 3) : 100 * Math.max(6, Math.ceil(base / 70));
    const what = pick(['PIZZA NIGHT', 'PASTA NIGHT', 'ITALIAN NIGHT'], draw);
    const description =
      meal === 'lunch'
        ? `${short(deal, region)} Meal Deal Clubcard Price ${money(deal + 50, region)} Meal Deal Regular Price - ` +
          'Selected Main + Snack + Drink'
        : `${what} Meal Deal for ${short(deal, region)} Clubcard Price - Buy 1 Main, 1 Side & 1 Sauce`;
    return said('meal_deal', description, { dealPriceMinor: deal });
  }
  if (family >= 94) {
    const short4 = range.slice(0, 4).toUpperCase();
    const description = pick(['Triple Points on Selected Lines', 'New Recipe', `CC ${short4} 3 F 2`], draw);
    return said('unknown', description, { offerType: draw % 2 === 0 ? 'CLUBCARD_PRICING' : null });
  }
  if (base > dearest || product.pack.priced !== 'pack') return null;

  // Prices are close enough within a class for one deal that saves 10 to 35% on each of them.
  const lowest = priceClass ** Math.floor(Math.log(base) / Math.log(priceClass));
  const number = 2 + (draw % (lowest < 200 ? 4 : lowest < 500 ? 3 : 2));
  if (family >= 76 && lowest < 500) {
    const description = `Any ${number + 1} for ${number} Clubcard Price - Cheapest Product Free - Selected ${range}`;
    return said('n_for_m', description, { quantity: number + 1, payQuantity: number });
  }
  if (family >= 68) {
    const description = `Buy 6 or more Save 25% Clubcard Price - Save 25% On Selected ${range} When You Buy 6 +`;
    return said('save_percent', description, { quantity: 6, savePercent: '25' });
  }
  const half = lowest * number < 400 ? 25 : 50;
  const deal = Math.round((lowest * number * 0.82) / half) * half;
  if (deal < 100 || deal > base * number * 0.92 || deal < base * number * 0.6) return null;
  const one = { quantity: number, dealPriceMinor: deal };
  const price = short(deal, region);
  if (family < 52) return said('multibuy', `Any ${number} for ${price} Clubcard Price - Selected ${range}`, one);
  const twice = `${number * 2} for ${short(deal * 2 - half, region)}`;
  return said('multibuy', `${number} for ${price} or ${twice} Clubcard Price - ${range}`, one);
}

/** Highest price of a product in a deal on several, and the ratio of prices in one deal. */
const dearest = 1_500;
const priceClass = 1.12;

/** A reduction of the shelf price for everybody, from `was` minor units to the base. */
export function ordinaryCut({ base, region }: PromotedProduct, was: number, draw: number): PromotionMeaning {
  const now = money(base, region);
  return {
    ...silent,
    kind: 'price_cut',
    offerType: null,
    description: draw % 3 === 0 ? `Only ${now}` : `Was ${money(was, region)} Now ${now}`,
  };
}

/** Wordings of a price of one product: share of the base price, claim, and stated saving. */
const claims: readonly (readonly [share: number, words: string, savePercent: string | null])[] = [
  [0.9, '', null],
  [0.85, '', null],
  [0.85, '', null],
  [0.8, '', null],
  [0.8, '', null],
  [0.7, '', null],
  [0.75, 'Save 25% ', '25'],
  [0.75, 'Save 25% ', '25'],
  [2 / 3, 'Save 1/3 ', '33.33'],
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

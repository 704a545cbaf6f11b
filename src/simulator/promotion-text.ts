import { pick } from './hash.ts';
import type { Pack } from './pack.ts';
import { decimal, rounded } from './price.ts';

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
  /** Lowest legal price. */
  readonly lowest: number;
  readonly pack: Pack;
  /** Meal deals that include it. */
  readonly meal: 'lunch' | 'evening' | null;
  /** Name of the group that the deal covers, trimmed. */
  readonly range: string;
  /** Whether it is in no deals on several, and whether it saves at most an eighth. */
  readonly isSingle: boolean;
  readonly isModest: boolean;
}

/** A loyalty price of one product. `draw` selects the wording. */
export function loyaltyPrice(product: PromotedProduct, draw: number): PromotionMeaning {
  const { base, pack, region } = product;
  if (pack.priced !== 'pack') {
    const isClaim = draw % 2 === 0;
    const unitMinor = isClaim ? Math.round(base * 0.75) : rounded(base * 0.8);
    const price = `${money(unitMinor, region, false)} per kg Clubcard Price`;
    return {
      ...silent,
      kind: 'loyalty_unit_price',
      loyaltyUnitPrice: decimal(unitMinor),
      loyaltyUnitMeasure: 'kg',
      savePercent: isClaim ? '25' : null,
      description: isClaim ? `Save 25% ${price}` : price,
    };
  }
  const unsaid = [0.92 - ((draw >>> 4) % (product.isModest ? 5 : 36)) / 100, '', null] as const;
  const [share, words, savePercent] = draw % 3 === 0 && !product.isModest ? pick(claims, draw >>> 4) : unsaid;
  const paid = base * share;
  const round = base < 50 ? Math.round(paid) || 1 : words === '' ? roundPrice(paid, base) : Math.floor(paid / 5) * 5;
  const minor = Math.max(product.lowest, round);
  return {
    ...silent,
    kind: 'loyalty_price',
    loyaltyPriceMinor: minor,
    savePercent,
    description: `${money(minor, region, (draw >>> 8) % 16 !== 0)} ${words}Clubcard Price`,
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
  if (product.isSingle) return null;
  if (family >= 94) {
    const short4 = range.slice(0, 4).trim().toUpperCase();
    const description = pick(['Triple Points on Selected Lines', 'New Recipe', `CC ${short4} 3 F 2`], draw);
    return said('unknown', description, { offerType: draw % 2 === 0 ? 'CLUBCARD_PRICING' : null });
  }
  const { priced, unitOfMeasure } = product.pack;
  if (base > dearest || priced !== 'pack' || unitOfMeasure === null) return null;

  // Prices are close enough within a class for one deal that saves 10 to 35% on each of them.
  const lowest = priceClass ** Math.floor(Math.log(base) / Math.log(priceClass));
  const number = lowest < 100 ? 3 + (draw % 2) : lowest < 300 ? 2 + (draw % 2) : 2;
  if (family >= 76 && lowest < 500) {
    const description = `Any 3 for 2 Clubcard Price - Cheapest Product Free - Selected ${range}`;
    return said('n_for_m', description, { quantity: 3, payQuantity: 2 });
  }
  // People stock up on wine.
  if (family >= 60 && product.pack.label.endsWith('cl')) {
    const description = `Buy 6 or more Save 25% Clubcard Price - Save 25% On Selected ${range} When You Buy 6 +`;
    return said('save_percent', description, { quantity: 6, savePercent: '25' });
  }
  const deal = roundPrice(lowest * number * 0.82, lowest * number);
  if (deal < 100 || deal > base * number * 0.92 || deal < base * number * 0.65) return null;
  const one = { quantity: number, dealPriceMinor: deal };
  const price = short(deal, region);
  const twice = roundPrice(deal * 1.9, deal * 2);
  if (family < 56 || number > 2 || lowest > 500 || twice < lowest * priceClass * 4 * 0.65)
    return said('multibuy', `Any ${number} for ${price} Clubcard Price - Selected ${range}`, one);
  return said('multibuy', `2 for ${price} or 4 for ${short(twice, region)} Clubcard Price - ${range}`, one);
}

/** Highest price of a product in a deal on several, and the ratio of prices in one deal. */
const dearest = 1_200;
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
  [0.8, 'Save 20% ', '20'],
  [0.75, 'Save 25% ', '25'],
  [0.75, 'Save 25% ', '25'],
  [2 / 3, 'Save 1/3 ', '33.33'],
  [2 / 3, 'Save 1/3 ', '33.33'],
  [0.6, 'Save 40% ', '40'],
  [0.5, 'Half Price ', '50'],
  [0.5, 'Half Price ', '50'],
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

/** `£2.50`, `£4`: the price of an offer near `minor`, a saving against `full`. */
function roundPrice(minor: number, full: number): number {
  const step = minor < 100 ? 5 : minor < 300 ? 25 : minor < 1000 ? 50 : minor < 5000 ? 100 : 500;
  const near = Math.round(minor / step) * step;
  return near < full * 0.95 ? near : near - step;
}

/** `£2.50`; `75p`. */
function money(minor: number, region: 'uk' | 'ie', inPence = true): string {
  if (inPence && minor < 100 && region === 'uk') return `${minor}p`;
  return `${region === 'uk' ? '£' : '€'}${(minor / 100).toFixed(2)}`;
}

/** `£3`, `£3.50`. */
function short(minor: number, region: 'uk' | 'ie'): string {
  return minor % 100 === 0 ? `${region === 'uk' ? '£' : '€'}${minor / 100}` : money(minor, region);
}

import type { PromotionKind, PromotionMeaning } from '../../base/model/index.ts';
import type { Decimal } from './decimal.ts';
import { pattern } from './pattern.ts';
import { claimsSaving, type PromotionAmount, savePercentOf } from './promotion-amount.ts';
import { withoutPackSizes } from './promotion-fold.ts';

/** Promotion on several products together. */
export type Deal = Pick<PromotionMeaning, 'kind'> & Partial<PromotionMeaning>;

/**
 * Deal on several products in a folded promotion text: meal deal, N for M, multibuy, or saving when buying several.
 * Null: about one product; `unclear`: about several products in an unknown way.
 */
export function readDeal(text: string, amounts: readonly PromotionAmount[]): Deal | 'unclear' | null {
  for (const read of [mealDeal, getFree, forPrice, forNumber, whenBuying]) {
    const deal = read(text, amounts);
    if (deal !== null) return deal;
  }
  return null;
}

type Read = (text: string, amounts: readonly PromotionAmount[]) => Deal | 'unclear' | null;

const names = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const number = `(\\d{1,3}|${names.slice(1).join('|')})`;
const notInNumber = '(?<![\\d.,£€/a-z])';

function count(word: string | undefined): number {
  const named = names.indexOf(word ?? '');
  return named >= 0 ? named : Number(word);
}

const mealDeal: Read = (text, amounts) => {
  if (!/\bmeal deals?\b|\bdine in\b|\b(?:dinner|meal|lunch) for (?:two|four|[24])\b|\bbundle\b/.test(text)) return null;
  // Beside a price, `meal deal item` is ambiguous: the price of the meal or of the item.
  if (amounts.length > 0 && isPartOfMeal.test(text)) return 'unclear';
  const dash = text.indexOf(' - ');
  const headline = dash < 0 ? text.length : dash;
  const all = amounts.filter((amount) => amount.role === 'price');
  const named = all.filter((amount) => amount.end <= headline);
  const prices = named.length > 0 ? named : all;
  return { kind: 'meal_deal', dealPriceMinor: bundlePrice(text, prices) };
};

/** The single price or, of two, the Clubcard price if the other one is called regular. */
function bundlePrice(text: string, prices: readonly PromotionAmount[]): number | null {
  if (prices.some((price) => price.isBound) || severalMealDeals.test(text)) return null;
  const price = prices.length === 2 ? loyaltyOf(text, prices) : prices.length === 1 ? prices[0] : undefined;
  return price?.minor ?? null;
}

/** Of several prices, the one labelled as loyalty price if another is labelled as regular; labels precede or follow. */
export function loyaltyOf(text: string, prices: readonly PromotionAmount[]): PromotionAmount | undefined {
  const following = prices.map((price, index) => text.slice(price.end, prices[index + 1]?.start ?? text.length));
  const preceding = prices.map((price, index) => text.slice(index === 0 ? 0 : prices[index - 1]?.end, price.start));
  for (const labels of [following, preceding]) {
    const regularAt = labels.findIndex((label) => regular.test(label));
    const loyaltyAt = labels.findIndex((label) => !regular.test(label) && /\bclub ?card\b/.test(label));
    if (regularAt >= 0 && loyaltyAt >= 0) return prices[loyaltyAt];
  }
  // `£4 clubcard price (non-clubcard price £6)`: both labels are between the two prices.
  const [between = '', after = ''] = following;
  if (prices.length !== 2 || /\bclub ?card\b/.test(`${preceding[0]} ${after}`)) return undefined;
  const labels = between.replace(regular, '#').match(/#|\bclub ?card\b/g) ?? [];
  return labels.length === 2 && labels.includes('#') ? prices[labels.indexOf('#') === 0 ? 1 : 0] : undefined;
}

export const regular = new RegExp(pattern`
    \b(?:regular|standard|normal|usual|non[- ]?club ?card|no club ?card
    |without(?:(?: a| your)? club ?card|(?=[ .!)]*$))|non[- ]?members?)\b`);

const isPartOfMeal = new RegExp(pattern`
    \bmeal deals? (?:items?|component|eligible|(?:products?|range)(?! ?:| any\b| ?\S*[,&]))\b
    |\b(?:part of|eligible for|included in|available (?:in|on|as)|add to|also in
    |(?<!\bdine )in) (?:an? |the |our |any )?meal deals?\b`);

const severalMealDeals = /\b(?:[2-9]|two|three|four) meal deals\b/;

const goods = '(?:items?|products?|bottles?|packs?|bags?|boxes|tins?|cans?|cases?)';
const ordinals: Readonly<Record<string, number>> = { second: 2, third: 3, fourth: 4 };

const freePattern = new RegExp(
  pattern`
    \bbuy (?:any )?${number}(?: ${goods})?,? (?:and )?get (?:(?:the )?(\d(?=st|nd|rd|th)|second|third|fourth)
    (?:st|nd|rd|th)?|(?:any )?${number}|another|a (?:second|third)) (free|half price|\d{1,2} ?% off|1/2 price
    |for\b)
    |\b(bogof)\b`,
);

const getFree: Read = (text) => {
  const match = freePattern.exec(text);
  if (match === null) return null;
  if (match[5] !== undefined) return { kind: 'n_for_m', quantity: 2, payQuantity: 1 };
  const pay = count(match[1]);
  const nth = match[2] === undefined ? undefined : (ordinals[match[2]] ?? Number(match[2]));
  const quantity = nth ?? pay + (match[3] === undefined ? 1 : count(match[3]));
  if (!(quantity > pay && pay >= 1)) return 'unclear';
  return match[4] === 'free' ? { kind: 'n_for_m', quantity, payQuantity: pay } : { kind: 'multibuy', quantity };
};

// `any 2 for £5`, `3 items for only €10`, directly before the price. `4 pack for £3` and `set of 3 for £9` are one
// product.
const quantityBefore = new RegExp(
  pattern`
    ${notInNumber}(?<!\bof )${number}
    (?! ?-?(?:pack|pk|pc|piece|litres?|ltrs?|ml|cl|kg|kilos?|grams?|lb|pints?)\b) ?((?:[a-z*]{2,12} ){0,2})for ?
    (?:only |just |a total of )?$`,
);
const quantityAfter = new RegExp(`^ for (?:any )?${number}(?= club| with|[ .,!]*$| -)`);

const forPrice: Read = (text, amounts) => {
  for (const [index, amount] of amounts.entries()) {
    if (amount.role !== 'price' && amount.role !== 'unit') continue;
    const before = text.slice(Math.max(amounts[index - 1]?.end ?? 0, amount.start - 60), amount.start);
    const after = text.slice(amount.end, amount.end + 40);
    const ahead = quantityBefore.exec(before);
    const match = ahead ?? quantityAfter.exec(after);
    const others = before.slice(0, ahead?.index ?? 0);
    if (match === null || /\b(?:was|were|previously):? $/.test(others)) continue;
    const quantity = count(match[1]);
    if (quantity < 2 || countsOthers(others, ahead?.[2] ?? '')) return 'unclear';
    const isTotal = amount.role === 'price' && !amount.isBound && !/^ ?(?:each|per |a piece|\/)/.test(after);
    return { kind: 'multibuy', quantity, dealPriceMinor: isTotal ? amount.minor : null };
  }
  return null;
};

/**
 * `1 pizza & 2 sides for £8` and `main & 2 sides for £8` are bundles; the sizes in `cola 4 x 330ml 2 for £8` count no
 * other products.
 */
function countsOthers(before: string, goodsBehind: string): boolean {
  if (goodsBehind !== '' && /[a-z] ?(?:&|\band\b|\+|\bwith\b) ?$/.test(before)) return true;
  return (goodsBehind === '' ? /\d(?:\D*(?:&|\band|\+|,)| for \d.*) ?$/ : /\d/).test(withoutPackSizes(before));
}

const numberForNumber = new RegExp(
  pattern`
    ${notInNumber}${number} ?for ?(?:(?:the )?(?:price|cost) of )?${number}
    (?![\d.,]*\d|[a-z](?!/)| ?(?:%|€|£|kg\b|g\b|ml\b|cl\b|l\b|litres?\b|pence\b|cent\b))`,
);

const payFor = new RegExp(
  `\\bbuy (?:any )?${number},? (?:and )?(?:only )?pay (?:only )?(?:for )?${number}(?![\\d.,]*\\d|[a-z%])`,
);

const forNumber: Read = (text) => {
  const match = numberForNumber.exec(text) ?? payFor.exec(text);
  if (match === null) return null;
  const [quantity, payQuantity] = [count(match[1]), count(match[2])];
  if (!(quantity > payQuantity && payQuantity >= 1)) return 'unclear';
  return { kind: 'n_for_m', quantity, payQuantity };
};

// `buy any 6`, `on 2`, `off 3 items`, `6 or more`, `6+ bottles`.
const buying = new RegExp(
  [
    `\\b(?:buy|buying|any|bought|choose|pick) (?:any )?${number}(?![\\d.,]*\\d|[a-z/]| ?%)`,
    `\\b(?:on|off) ${number}(?=[ .!]*$| -| ${goods}\\b)`,
    `${notInNumber}${number}(?: ${goods})? or more\\b`,
    `${notInNumber}${number} ?\\+ ${goods}\\b`,
  ].join('|'),
);

const whenBuying: Read = (text, amounts) => {
  const match = buying.exec(text);
  const quantity = match === null ? null : count(match.slice(1).find((group) => group !== undefined));
  if (quantity === null)
    return /\bmix (?:&|and) match\b|\bmulti-?buy\b/.test(text) ? dealOf('multibuy', null, null) : null;
  if (quantity < 2) return 'unclear';
  if (amounts.length > 0) return dealOf('multibuy', quantity, savePercentOf(text));
  return claimsSaving(text) ? dealOf('save_percent', quantity, savePercentOf(text)) : 'unclear';
};

function dealOf(kind: PromotionKind, quantity: number | null, savePercent: Decimal | null): Deal {
  return { kind, quantity, savePercent };
}

import type { PromotionKind, PromotionMeaning } from '../../base/model/index.ts';
import type { Currency } from './money.ts';
import { pattern } from './pattern.ts';
import {
  claimsSaving,
  findAmounts,
  findMeasure,
  isOfPart,
  maxAmounts,
  type PromotionAmount,
  savePercentOf,
  unitPriceOf,
  withoutClaims,
} from './promotion-amount.ts';
import { loyaltyOf, readDeal, regular } from './promotion-deal.ts';
import { foldPromotion, withoutDeposit, withoutPackSizes } from './promotion-fold.ts';

/** Offer type of loyalty offers; all others are ordinary. */
export const loyaltyOfferType = 'CLUBCARD_PRICING';

/**
 * Meaning of a promotion text, independent of case and spaces. `unknown` if ambiguous, because a wrong price is worse
 * than none. A price is the loyalty price only if the text says so, or if the offer type does and the text is just the
 * price. Amounts in another currency than `currency` (if given) are not accepted. Linear in the length of the text.
 */
export function readPromotionText(text: string, offerType: string | null, currency?: Currency): PromotionMeaning {
  if (text.length > longestText) return unknownPromotion;
  const key = `${offerType === loyaltyOfferType ? 'L' : 'o'}${currency ?? ''}|${text}`;
  const known = meanings.get(key);
  if (known !== undefined) return known;
  const { rest, depositMinor } = withoutDeposit(foldPromotion(text));
  const understood = understand(splitQualifier(rest), offerType === loyaltyOfferType, currency);
  const meaning = Object.freeze({ ...understood, depositMinor });
  if (meanings.size >= maxMeanings) meanings.clear();
  meanings.set(key, meaning);
  return meaning;
}

/** Real texts are shorter than 200 characters. */
const longestText = 300;

// Cache size: a night has 300,000 promotions with fewer than 1,000 distinct texts.
const maxMeanings = 20_000;
const meanings = new Map<string, PromotionMeaning>();

/** What a text says that is not understood, or not read. */
export const unknownPromotion: PromotionMeaning = Object.freeze(meaningOf('unknown'));

function understand(text: string, isLoyaltyOffer: boolean, currency: Currency | undefined): PromotionMeaning {
  const amounts = readableAmounts(text, currency);
  if (amounts === null) return unknownPromotion;
  const both = alone.exec(text);
  if (both === null) return understandOne(text, amounts, isLoyaltyOffer);
  const [one = '', several = ''] = both.slice(1);
  const ofOne = understandOne(one, findAmounts(one), isLoyaltyOffer);
  const ofSeveral = readDeal(several, findAmounts(several));
  if (ofOne.kind !== 'loyalty_price' || ofSeveral === null || ofSeveral === 'unclear') return unknownPromotion;
  return { ...ofOne, quantity: ofSeveral.quantity ?? null, dealPriceMinor: ofSeveral.dealPriceMinor ?? null };
}

/** The amounts of a text that may be understood; null: it may not. */
function readableAmounts(text: string, currency: Currency | undefined): readonly PromotionAmount[] | null {
  if (neverUnderstood.test(text)) return null;
  const amounts = findAmounts(text);
  if (amounts.length > maxAmounts) return null;
  const currencies = new Set(amounts.map((amount) => amount.currency));
  if (currency !== undefined) currencies.add(currency);
  const isUnread = ({ role, decimal, minor }: PromotionAmount) => (isOfPart(role) ? decimal : minor) === null;
  return currencies.size > 1 || amounts.some(isUnread) ? null : amounts;
}

const neverUnderstood = new RegExp(pattern`
    \b(?:spend|points?|vouchers?|coupons?|gift ?card|cash ?back|money[- ]?back|refund(?:s|ed)?|(?<!-)win(?!-)
    |prizes?|delivery)\b
    |\bdeposit\b`);

function understandOne(text: string, amounts: readonly PromotionAmount[], isLoyaltyOffer: boolean): PromotionMeaning {
  const deal = readDeal(text, amounts);
  if (deal !== null) return deal === 'unclear' ? unknownPromotion : meaningOf(deal.kind, deal);

  // The price of an additional product, or of one together with others, is not the price of one.
  if (further.test(text) || withOthers.test(text)) return unknownPromotion;

  const saysLoyalty = /\bclub ?card\b/.test(text);
  if (!saysLoyalty && forOthers.test(text)) return unknownPromotion;
  const savePercent = savePercentOf(text);
  const prices = amounts.filter((amount) => amount.role === 'price');
  const units = amounts.filter((amount) => amount.role === 'unit');
  const savingMinor = only(amounts, 'saving');
  // Beside a price per weight, other amounts may be per weight, too.
  const isByWeight = units.length > 0 && prices.length === 0;
  const before = isByWeight ? { savePercent } : { savePercent, savingMinor, wasPriceMinor: only(amounts, 'was') };
  if (prices.length === 0 && units.length === 0) {
    if (claimsSaving(text) && amounts.length === 0) return meaningOf('save_percent', { savePercent });
    return amounts.length > 0 && !saysLoyalty && !isLoyaltyOffer ? meaningOf('price_cut', before) : unknownPromotion;
  }
  if (!saysOnlyPrices(text, amounts) || prices.some((price) => price.isBound)) return unknownPromotion;

  const isLoyalty = saysLoyalty || (isLoyaltyOffer && isJustThePrice(text, amounts));
  const loose = prices.length === 1 && units.length === 0 ? findMeasure(text) : null;
  if (!isLoyalty) {
    if (isLoyaltyOffer || prices.length > 1) return unknownPromotion;
    if (isForSomethingElse(text, amounts)) return unknownPromotion;
    const nowPriceMinor = loose === null ? (prices[0]?.minor ?? null) : null;
    return meaningOf('price_cut', { ...before, nowPriceMinor });
  }

  const perMeasure = prices.length === 0 && units.length === 1 ? units[0] : loose === null ? undefined : prices[0];
  if (perMeasure !== undefined) {
    const { unitPrice, unitOfMeasure } = unitPriceOf(perMeasure, perMeasure.measure ?? loose ?? '');
    return meaningOf('loyalty_unit_price', {
      loyaltyUnitPrice: unitPrice,
      loyaltyUnitMeasure: unitOfMeasure,
      savePercent,
    });
  }

  const price = prices.length === 1 ? prices[0] : loyaltyOf(text, prices);
  if (price === undefined || (prices.length === 1 && regular.test(text))) return unknownPromotion;
  return meaningOf('loyalty_price', { ...before, loyaltyPriceMinor: price.minor });
}

/** `£4.00 clubcard price or 2 for £7`: price of one for members, and a deal on several. */
const alone = /^([^|]*\bclub ?card price)\s?(?:,|\/|or)? or ((?:any )?\d{1,2} for [£€\d].*)$/;

const beforeTerms = new RegExp(pattern`
    (?<=\bprices?),? (?=\(?(?:excl|exclud(?:es|ing)|except|minimum unit|mup\b|subject to|terms|t&c|not available
    |available in|while stocks|in[- ]store|online only|(?:england|scotland|wales|northern ireland|gb|uk|roi)\b))`);

/**
 * Separates terms after the price (`. Minimum unit price applies in Scotland`, `excludes Wales`) like a description
 * after a dash, because they do not change the price.
 */
function splitQualifier(text: string): string {
  return text.replace(/(?<=\bprices?)[.;!] (?=[a-z(])(?!non-|regular|without)/, ' - ').replace(beforeTerms, ' - ');
}

/** The only amount with this role; null if there are none or several. */
function only(amounts: readonly PromotionAmount[], role: PromotionAmount['role']): number | null {
  const found = amounts.filter((amount) => amount.role === role);
  const [first] = found;
  return found.length === 1 && first?.measure === null && !first.isBound ? first.minor : null;
}

function meaningOf(kind: PromotionKind, said: Partial<PromotionMeaning> = {}): PromotionMeaning {
  return {
    loyaltyPriceMinor: null,
    loyaltyUnitPrice: null,
    loyaltyUnitMeasure: null,
    quantity: null,
    payQuantity: null,
    dealPriceMinor: null,
    savePercent: null,
    wasPriceMinor: null,
    nowPriceMinor: null,
    savingMinor: null,
    depositMinor: null,
    ...said,
    kind,
  };
}

/** Prices for members of other schemes are neither loyalty prices nor prices for everybody. */
const forOthers = new RegExp(pattern`
    \b(?:ccp?|loyalty|nectar|members?|membership|app|rewards?|students?|staff|colleagues?)\b
    |\b(?:with|using)(?: [a-z]+){0,3} card\b|\bcard (?:price|holders?)\b`);

const withOthers = new RegExp(pattern`
    \bclub ?card plus\b(?! [£€\d])|\b(?:when|if) you\b|\bbought (?:with|together)\b
    |\bwith (?:any|(?:the )?purchase|subscription)\b|\bcode\b|\bnew customers?\b
    |\b(?:on|off) (?:your )?(?:orders?|subscriptions?)\b|\btrade[- ]in\b|\bcases? of \d|\bby the case\b`);

const further = new RegExp(pattern`
    \b(?:first|1st) (?:shop|order|purchase|month)\b|\b(?:second|2nd|3rd|4th|next|additional|every other)\b
    |\b(?:first|1st|third|fourth) (?:item|one|product|pack|unit|bottle|box|bag|tin|can)\b`);

/** Whether the text has no conditions and no counts besides prices: no `from`, no `when you`, no further number. */
function saysOnlyPrices(text: string, amounts: readonly PromotionAmount[]): boolean {
  const [headline, tail] = splitHeadline(text, amounts);
  const rest = withoutPackSizes(
    withoutClaims(headline).replace(
      /\b(?:for|exclusive to|only for) (?:all )?(?:tesco )?club ?card(?: members?| holders?| customers?)?\b/g,
      ' ',
    ),
  );
  if (/\d/.test(rest) || conditions.test(rest) || conditionBehind.test(tail)) return false;
  return (
    !/\b(?:any|pick|choose) \d|\d for\b|\b(?:when|buy|buying|bought|cheapest)\b|[£€] ?\d|(?<![\d.])\d{1,4}p\b/.test(
      tail,
    ) && !bundle.test(tail)
  );
}

/**
 * Products sold together: `1 main, 1 side`, `2 pizzas & 1 side`, `main + side`. After `selected` a plus is part of a
 * name.
 */
const bundle = new RegExp(pattern`
    (?<![\d.])\d (?!pack|pk|pints?\b|x\b)[a-z]+(?: [a-z]+){0,3}(?:,| &| and| \+)
    (?: and)? \d (?!pack|pk|pints?\b|x\b)[a-z]
    |^(?!.*\bselected\b).*[a-z] \+ [a-z]`);

/** `£3 a pair`: whether the pack is one is not known. */
const ofSeveral = '(?:\\b(?:an?|per|the) |/ ?)(?:pair|couple|dozen|trio|case|crate|tray)\\b';

const conditions = new RegExp(pattern`
    \b(?:any|buy|for|from|to|when|free|off|up|deal|bundle|mix|match|get|min|minimum|max|maximum|limit|or|extra
    |plus|points|between|both|together|multiples|starting|upwards|upgrade|subscription|donat(?:ed|ion)|add|add-?on
    |trade[- ]?in)\b
    |\band (?:over|under|above)\b|\ball (?:two|three|four)\b|^ *pairs?\b|${ofSeveral}
    |\b(?:per|a) (?:person|head|day|week|month|night|dose|use|cup)\b|[+&*$~]`);

/** Text after the dash describes the product, unless it starts with a condition or cannot be a description. */
const conditionBehind = new RegExp(pattern`
    ${ofSeveral}|^ - (?:for (?:any )?(?:\d|two|three|four|a pair|the (?:pair|set))
    |(?:the pair|both|all (?:\d|two|three|four)|off|from|up to|x ?\d+|min(?:imum)? \d+)\b(?! (?:pack|pk)))
    |\bwith any\b|\bin multiples\b|\btogether\b|\bsubscription\b|\bto charity\b
    |\bper (?:person|head|day|week|month|night|dose|use|cup)\b`);

/**
 * The part before ` - ` and the description after it, without amounts; everything is headline if the price is after the
 * dash.
 */
function splitHeadline(text: string, amounts: readonly PromotionAmount[]): readonly [string, string] {
  const dash = text.indexOf(' - ');
  const cut = dash >= 0 && amounts.some((amount) => amount.end <= dash) ? dash : text.length;
  let headline = '';
  let at = 0;
  for (const amount of amounts) {
    if (amount.start >= cut) break;
    const measure = /^\s?(?:\/\s?|per\s|a\s)/.test(text.slice(amount.end)) ? (amount.measure ?? '') : '';
    const end = measure === '' ? amount.end : text.indexOf(measure, amount.end) + measure.length;
    headline += `${text.slice(at, amount.start)} `;
    at = end;
  }
  let tail = text.slice(cut);
  for (const { start, end, role } of amounts)
    if (start >= cut && role !== 'price') tail = tail.replace(text.slice(start, end), ' ');
  return [headline + text.slice(at, cut).replace(/(?:\/\s?|\bper\s)\d{1,4}(?=\s?(?:k?g|m?l)\b)/, ' '), tail];
}

/** `gift wrap £2` and `recycling charge 20c` are not prices of the product. */
function isForSomethingElse(text: string, amounts: readonly PromotionAmount[]): boolean {
  return amounts.some(({ start, role }) => role === 'price' && fees.test(text.slice(Math.max(0, start - 60), start)));
}

const fees = new RegExp(pattern`
    \b(?:gift[- ]?wrap(?:ping|ped)?|charges?|fees?|levy|donat(?:e[sd]?|ions?)|charity|postage|p&p|insurance
    |warranty|engrav(?:ing|ed)|personalis(?:ation|ed)|installation|recycling|worth|valued at)
    (?: (?:of|from|is|at|only|for))?[ :!,.=-]*$`);

/** Whether the text is only a price, possibly with a claim, `only`, `now` or `each`. */
function isJustThePrice(text: string, amounts: readonly PromotionAmount[]): boolean {
  if (amounts.some((amount) => amount.role === 'was')) return false;
  const [headline, tail] = splitHeadline(text, amounts);
  const rest = withoutClaims(headline).replace(/\b(?:only|now|just|each|per|save|saving|off)\b|[()/!.,:;-]/g, ' ');
  return `${rest}${tail}`.trim() === '';
}

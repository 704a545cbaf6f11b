import { type Decimal, decimalFromNumber } from './decimal.ts';
import { type Currency, decimalFromAmount, decimalFromPence, minorFromDecimal } from './money.ts';
import { pattern } from './pattern.ts';
import { normaliseUnitPrice } from './unit-price.ts';

/** An amount of money in a promotion text and its role. */
export interface PromotionAmount {
  readonly start: number;
  readonly end: number;
  readonly currency: Currency;
  /** Null: looks like money but is unreadable. */
  readonly decimal: Decimal | null;
  readonly minor: number | null;
  /** `saving`: reduction. `was`: former price. `unit`: per weight or volume. `piece`: a piece of a priced pack. */
  readonly role: 'price' | 'saving' | 'was' | 'unit' | 'piece';
  /** Printed measure (`kg`, `100g`) of a `unit`, or of a `saving` or `was` per weight or volume. */
  readonly measure: string | null;
  /** Whether it is a bound or an estimate: `from £2`, `up to £5`, `approx £3`, `£5 or less`, `£2 - £3`. */
  readonly isBound: boolean;
}

/** Real texts have up to five amounts; texts with more than this are `unknown`. */
export const maxAmounts = 16;

/**
 * All amounts in a folded promotion text (lower case, single spaces), in order, at most `maxAmounts` + 1. Takes time
 * linear in the length of the text.
 */
export function findAmounts(text: string): readonly PromotionAmount[] {
  const found = [...text.matchAll(amountPattern)].slice(0, maxAmounts + 1);
  const amounts = found.map((match, index): PromotionAmount => {
    const start = match.index;
    const end = start + match[0].length;
    const before = text.slice(Math.max(endOf(found[index - 1]), start - 40), start);
    const after = text.slice(end, Math.min(found[index + 1]?.index ?? text.length, end + 40));
    const part = roleOf(before, match[5] ?? '', after);
    // Only parts cost fractions of pence (`2.5p/sheet`). `-£2` may be a reduction; `£3 less £1` may be either price.
    const isSlip =
      (!isOfPart(part.role) && match[5]?.includes('.') === true) ||
      /^- ?$|\s-$/.test(text.slice(0, start)) ||
      (index > 0 && /\b(?:less|minus)\s?$/.test(before));
    const amount = isSlip ? valued('GBP', null) : readAmount(match);
    return { start, end, ...amount, ...part, isBound: isBound(text, start, end) };
  });
  const isPriced = amounts.some(({ role }) => role === 'price');
  return isPriced ? amounts : amounts.map((each) => (each.role === 'piece' ? { ...each, role: 'price' } : each));
}

export const isOfPart = (role: PromotionAmount['role']): boolean => role === 'unit' || role === 'piece';

/** Measure in `per kg`, `/100g` or `a litre`, as printed; null if there is none. */
export function findMeasure(text: string): string | null {
  return measurePattern.exec(text)?.[1] ?? null;
}

/** Price per kilogram or litre, if the measure can be converted. */
export function unitPriceOf(amount: PromotionAmount, measure: string): ReturnType<typeof normaliseUnitPrice> {
  return normaliseUnitPrice(amount.decimal, measure);
}

// £2.50 · €3,00 · £.75 | 3,00 € · 5 eur | 85p | 85c. A symbol that starts the next amount does not end this one: `any 2
// €5`.
const amountPattern = new RegExp(
  pattern`
    ([£€])\s?(\.\d\d|\d(?:[\d.,]*\d)?)(?:p\b)?|(?<![\d.,£€])(\d(?:[\d.,]*\d)?)\s?([£€](?!\s?\.?\d)
    |eur(?:os?)?\b|gbp\b)|(?<![\d.,£€])(\d{1,4}(?:\.\d{1,3}(?=[pc]))?)(?:(p)\b|(c)(?!\w|\/[a-km-z]\b))`,
  'g',
);

function endOf(match: RegExpExecArray | RegExpMatchArray | undefined): number {
  return match === undefined ? 0 : (match.index ?? 0) + match[0].length;
}

function readAmount(match: RegExpMatchArray): Pick<PromotionAmount, 'currency' | 'decimal' | 'minor'> {
  const [, symbol, prefixed, suffixed, suffix, small, pence] = match;
  if (small !== undefined) return valued(pence === undefined ? 'EUR' : 'GBP', decimalFromPence(small));
  const digits = prefixed ?? suffixed ?? '';
  const sign = symbol ?? suffix ?? '';
  // `1.299` is ambiguous: a thousand or a fraction.
  const decimal = /^\d*\.\d{3,}$/.test(digits) ? null : decimalFromAmount(digits);
  return valued(sign === '£' || sign === 'gbp' ? 'GBP' : 'EUR', decimal);
}

function valued(currency: Currency, decimal: Decimal | null): Pick<PromotionAmount, 'currency' | 'decimal' | 'minor'> {
  return { currency, decimal, minor: decimal === null ? null : minorFromDecimal(decimal) };
}

const measureWord = pattern`
    (\d{0,4}\s?(?:kg|kilos?|kilograms?|g|grams?|l|lt|ltr|litres?|liters?|ml|cl|lb|oz|wash(?:es)?|sheets?|sht
    |rolls?|tablets?|capsules?|pods?|tea ?bags?|portions?|servings?|metres?)\b(?:\s?dr\.?\s?wt\b)?)`;
const measurePattern = new RegExp(`(?:/\\s?|\\bper\\s|\\ba\\s(?=kilo|kg|litre))${measureWord}`);
// `£1.99 lb` is a price by weight; `£1.99 500g` names a pack size.
const measureAfter = new RegExp(
  `^\\s?(?:/\\s?|per\\s|a\\s(?=kilo|kg|litre)|(?=(?:kg|kilos?|lb|litres?|ltr)\\b))${measureWord}`,
);

const pastLabel = new RegExp(pattern`
    \b(?:was|were|rrp|usually|normally|originally|previously|instead of|worth
    |(?:prior|previous|old) price(?: of)?):?\s?$`);

const savingBefore = new RegExp(pattern`
    (?:\b(?:save[sd]?|savings?|discount|rebate|minus|deduct|(?<!\bfor )less)
    |\b(?:reduced|reductions?|discounted|cheaper|lower(?:ed)?|less|down|cut|slashed|drop(?:ped)?)\s(?:by|of))
    (?:\s(?:you|an?|another|extra|further|additional|by|of|up to|over|at least|more than|from|nearly|almost|around
    |about))*:?\s?$`);
// `£2 back bacon` and `£9 down pillow` name goods, and `£8 less than half price` is a price with a bound.
const savingAfter = new RegExp(pattern`
    ^\s?(?:(?:extra|money|taken|knocked)\s)?(?:off|discount|cash\s?back|reduction|savings?|saved|rebate|deducted
    |price (?:drop|cut|reduction)|club ?card (?:savings?|discount|rebate|reduction|cash ?back)
    |(?:cheaper|less|lower)(?! than)|(?:back|down)(?=\s?(?:$|[-.,!/)(]| (?:club|with|on|when))))\b`);

/** `(62.5p each)`, `£1.80/each`, `62.5p per bottle`; without bracket, slash or fraction it is the product's price. */
const pieceAfter = /^\s?(?:(?:\/\s?)?(?:each|ea|apiece)|(?:\/\s?|per\s|an?\s)(?!club)[a-z]+)\b(\))?/;

function roleOf(before: string, pence: string, after: string): Pick<PromotionAmount, 'role' | 'measure'> {
  const measure = measureAfter.exec(after)?.[1] ?? null;
  const reduction = savingAfter.exec(after);
  if (reduction !== null || savingBefore.test(before)) {
    const behind = measureAfter.exec(after.slice(reduction?.[0].length ?? 0));
    return { role: 'saving', measure: measure ?? behind?.[1] ?? null };
  }
  const isPast = pastLabel.test(before) || /^\s?rrp\b/.test(after);
  if (isPast) return { role: 'was', measure };
  if (measure !== null) return { role: 'unit', measure };
  const piece = pieceAfter.exec(after);
  const isBracketed = piece?.[1] !== undefined && /\([^()]*$/.test(before);
  const isPiece = piece !== null && (isBracketed || /^\s?\//.test(piece[0]) || pence.includes('.'));
  return { role: isPiece ? 'piece' : 'price', measure };
}

/**
 * Saving in a folded promotion text as an exact percentage: `save 25%`, `1/3 off`, `half price`. Null if there is none,
 * several, only a bound (`up to 50% off`), or one for a single product of several (`cheapest half price`).
 */
export function savePercentOf(text: string): Decimal | null {
  if (/\b(?:up to|better than|more than|at least|over)\s/.test(text) || ofOneAmongSeveral.test(text)) return null;
  const shares = new Set<string>();
  for (const match of text.matchAll(claimPattern)) {
    if (isBound(text, match.index, match.index + match[0].length)) return null;
    const share = percentOf(match);
    if (share !== null) shares.add(share);
  }
  return shares.size === 1 ? ([...shares][0] ?? null) : null;
}

/** Whether the text claims any saving, even of unknown size. */
export function claimsSaving(text: string): boolean {
  return text.search(claimPattern) >= 0;
}

/** Text without claims of savings, for judging the rest. */
export function withoutClaims(text: string): string {
  return text.replace(claimPattern, ' ');
}

/** Whether the amount at this position is only a bound or an estimate: `from`, `nearly`, `or less`, `10% to`. */
export function isBound(text: string, start: number, end: number): boolean {
  return boundBefore.test(text.slice(Math.max(0, start - 30), start)) || boundAfter.test(text.slice(end, end + 20));
}

const boundBefore = new RegExp(pattern`
    (?:\b(?:up to|on|off|from|starting at|over|under|below|above|between|at least|(?:more|less|better) than|nearly
    |almost|around|about|approx(?:imately)?\.?|circa|average(?: price)?|price (?:cut|drop)s?|min(?:imum)?\.?
    |max(?:imum)?\.?)(?: of)?(?: save| saving)?:? ?|(?:%|[£€] ?[\d.,]{1,9}) ?(?:-|to|and) ?|\d-)$`);

const boundAfter = new RegExp(pattern`
    ^(?: off)? ?(?:\+|(?:or|and) (?:less|more|better|under|over|below|above|up)\b|upwards\b
    |(?:-|to) ?(?:[£€] ?\d|\d{1,3} ?(?:%|p\b)))`);

const ofOneAmongSeveral =
  /\b(?:cheapest|cheaper|lowest[- ]priced|second|2nd|3rd|4th|the third|third (?=item|one|half|free))\b/;

const claimPattern = new RegExp(
  pattern`
    (?:better than )?(?:\bhalf|(?<![\d/])1\/2)[ -]price\b
    |\bsave (?:up to |over |at least |a |an extra )?
    (?:(\d{1,3}(?:\.\d{1,2})?) ?(?:%|per ?cent\b)|(\d)\/(\d{1,2})|(?:one )?(half|third|quarter)\b)
    |(?<![\d.,/])(?:(\d{1,3}(?:\.\d{1,2})?) ?(?:%|per ?cent)|(\d)\/(\d{1,2})) off\b|\b(half|third|quarter) off\b`,
  'g',
);

const words: Readonly<Record<string, Decimal>> = { half: '50', third: '33.33', quarter: '25' };

function percentOf(match: RegExpMatchArray): Decimal | null {
  const percent = match[1] ?? match[5];
  if (percent !== undefined)
    return Number(percent) > 0 && Number(percent) < 100 ? decimalFromNumber(Number(percent)) : null;
  const [over, under] = [Number(match[2] ?? match[6]), Number(match[3] ?? match[7])];
  if (!Number.isNaN(over))
    return over > 0 && over < under ? decimalFromNumber(Math.round((over * 10_000) / under) / 100) : null;
  return words[match[4] ?? match[8] ?? 'half'] ?? null;
}

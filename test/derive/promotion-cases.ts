import { readFileSync } from 'node:fs';

/**
 * A product's story, and what is to be said of its last promotion: a line of promotion-cases.txt. Days are counted from
 * 1 January 2026. Prices: `day:price` in pence, `@` a unit price per kg; `x` is absent, `-` listed without a price, `o`
 * out of stock; `100b` is the second run of day 100. Promotions: `from-to text`, `to` being the first day without;
 * before the text `s` and `e` give its own first day and end, `e70-` the last second of day 69.
 */
export interface PromotionCase {
  readonly prices: string;
  readonly promotions: readonly string[];
  /** The verdict, or the reason why there is none. */
  readonly prior: string;
}

const text = readFileSync(new URL('promotion-cases.txt', import.meta.url), 'utf8');

/** Lines are `prices | promotion ; promotion | verdict`, below a heading for each region. */
const casesOf = (region: string): readonly PromotionCase[] =>
  text
    .split(/^## /m)
    .filter((part) => part.startsWith(region))
    .flatMap((part) => part.split('\n').slice(1))
    .filter((line) => line.includes('|') && !line.startsWith('#'))
    .map((line) => line.split(' | ') as [string, string, string])
    .map(([prices, promotions, prior]) => ({ prices, promotions: promotions.split(' ; '), prior }));

export const promotionCases = { uk: casesOf('uk'), ie: casesOf('ie') };

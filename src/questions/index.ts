import type { Question } from './question.ts';

/** A question with its name and a text that completes "show …". Its file is loaded on demand. */
export interface QuestionEntry {
  readonly name: string;
  readonly about: string;
  load(): Promise<Question>;
}

const entry = <const Name extends string, Asked extends Question>(
  name: Name,
  about: string,
  load: () => Promise<Asked>,
) => ({ name, about, load });

const entries = [
  entry('asof', "a region's catalogue on a date", async () => (await import('./asof.ts')).asof),
  entry('changes', 'price changes, newest first', async () => (await import('./changes.ts')).changes),
  entry(
    'watch',
    'nights on which a price, pack or offer came true that you wait for',
    async () => (await import('./watch.ts')).watch,
  ),
  entry(
    'pack-changes',
    'packs that hold a different amount than before, newest first',
    async () => (await import('./pack-changes.ts')).packChanges,
  ),
  entry(
    'promotions',
    'promotions and whether they are reductions, newest first',
    async () => (await import('./promotions.ts')).promotions,
  ),
  entry(
    'movers',
    'price rises and falls between two nights, largest first',
    async () => (await import('./movers.ts')).movers,
  ),
  entry(
    'index',
    'price indices of a region or a category over time',
    async () => (await import('./price-index.ts')).priceIndex,
  ),
  entry(
    'weighted-index',
    'a price index of categories with your own weights',
    async () => (await import('./weighted-index.ts')).weightedIndex,
  ),
  entry(
    'contributions',
    'how much each category moved the index in the last period',
    async () => (await import('./contributions.ts')).contributions,
  ),
  entry(
    'price-statistics',
    'how often, how far and in which direction prices change, by month',
    async () => (await import('./price-statistics.ts')).priceStatistics,
  ),
  entry(
    'price-durations',
    'how long prices last: the share that lasts longer, by age',
    async () => (await import('./price-durations.ts')).priceDurations,
  ),
  entry(
    'promotion-depth',
    'how much is on promotion, how deep, and how much of it is real, by week',
    async () => (await import('./promotion-depth.ts')).promotionDepth,
  ),
  entry(
    'private-label',
    'the share of private labels, their prices against brands, and how both moved',
    async () => (await import('./private-label.ts')).privateLabel,
  ),
  entry(
    'unit-price-rank',
    "a product's rank by unit price among the products of its shelf",
    async () => (await import('./unit-price-rank.ts')).unitPriceRank,
  ),
  entry(
    'compare',
    'prices of matched products in Ireland and the United Kingdom, largest gap first',
    async () => (await import('./compare.ts')).compare,
  ),
  entry('basket', 'what a basket costs each night, in both regions', async () => (await import('./basket.ts')).basket),
  entry(
    'basket-swaps',
    'the cheapest product of the same shelf for the content of each product of a basket',
    async () => (await import('./basket-swaps.ts')).basketSwaps,
  ),
  entry(
    'pass-through',
    'whether and when price changes of one region follow in the other',
    async () => (await import('./pass-through.ts')).passThrough,
  ),
  entry(
    'quarantine',
    'elements that could not be parsed, by endpoint, place and reason',
    async () => (await import('./quarantine.ts')).quarantine,
  ),
  entry('stores', 'stores, optionally near a place', async () => (await import('./stores.ts')).stores),
];

/** All questions, in the order of `pricebook --help`. */
export const questions: readonly QuestionEntry[] = entries;

type Entry = (typeof entries)[number];
export type QuestionName = Entry['name'];
export type QuestionNamed<Name extends QuestionName> = Awaited<ReturnType<Extract<Entry, { name: Name }>['load']>>;

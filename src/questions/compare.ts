import { NothingFound } from '../base/errors.ts';
import { plural } from '../base/format.ts';
import { isCertified, lastOfBoth } from './certified.ts';
import { fields, lookedUp, share } from './columns.ts';
import { categoryAbout, dateAbout, oneOf, orderOf, titled, Words } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

/** Tiers of matches; see docs/analyse/two-regions.md. */
const tiers = { sure: [1, 2], all: [1, 2, 3], barcode: [1], number: [2], likely: [3] };

/** Coverage of the matches. */
export const parityOf = (date: string | undefined, match: keyof typeof tiers) =>
  sql`select * from marts.region_parity(${date}, tiers => ${tiers[match]})`;

/** Figures of matches. Differences within a percent count as about the same. */
export const gapFigures = {
  priced: sql`count(gap_pct)::int`,
  dearer: sql`(count(*) filter (where gap_pct > 1))::int`,
  cheaper: sql`(count(*) filter (where gap_pct < -1))::int`,
  // The geometric mean of the ratios, in percent; a ratio over ten is a wrong match.
  average: sql`round(10000 * (exp(avg(ln(1 + gap_pct::float8 / 100))
        filter (where gap_pct between -90 and 900)) - 1)) / 100`,
} as const;

type GapFigures = Readonly<Record<keyof typeof gapFigures, number>>;

/** What these figures say of at least one match. */
export function gapWords({ priced, dearer, cheaper, average }: GapFigures): string {
  const part = (some: number) => (some === 0 ? 'none' : some === priced ? 'all' : share((100 * some) / priced));
  const size = Math.abs(average) < 0.05 ? 'as dear' : `${share(average)} ${average > 0 ? 'dearer' : 'cheaper'}`;
  const less = cheaper === 0 ? '' : ` and ${part(cheaper)} cheaper`;
  return `${part(dearer)} are dearer in Ireland${less}; ${size} on average`;
}

const orders = {
  'dearer-ie': { name: 'dearest in Ireland first', by: sql`gap_pct desc nulls last` },
  'dearer-uk': { name: 'dearest in the UK first', by: sql`gap_pct nulls last` },
} as const;

const productsIn = (categoryKeys: readonly number[]): Sql => sql`
        select product_key from marts.product_category_now where category_key = any (${categoryKeys}::int[])`;

export const compare = defineQuestion({
  name: 'compare',
  about: 'prices of matched products in Ireland and the United Kingdom',
  parameters: {
    date: dateAbout('a night (default: the last one that is certified in both regions)'),
    match: oneOf(['sure', 'all', 'barcode', 'number', 'likely'], 'sure by barcode or base number, likely by name'),
    category: categoryAbout('only products in this category or below it now'),
    words: Words,
    sort: orderOf(orders),
  },
  columns: [
    ...fields('snapshot_date'),
    ...lookedUp('m', ...fields('uk_product_id', 'ie_product_id')),
    { name: 'tier', as: 'number' },
    { name: 'match_label', heading: 'Match' },
    { name: 'precision_pct', as: 'decimal' },
    { name: 'matched_since', as: 'instant' },
    ...lookedUp('m', { name: 'uk_title', heading: 'In the UK', as: 'sentence' }),
    { name: 'uk_price', heading: 'UK', as: 'money', currency: 'uk_currency' },
    ...fields('uk_currency'),
    { name: 'ie_price', heading: 'Ireland', as: 'money', currency: 'ie_currency' },
    ...fields('ie_currency'),
    { name: 'rate', as: 'decimal' },
    ...fields('rate_date'),
    { name: 'ie_price_gbp', heading: 'Ireland in pounds', as: 'money', currency: 'uk_currency', decimals: 2 },
    { name: 'gap_pct', heading: 'Ireland against UK', as: 'percent', or: 'reason' },
    ...fields('reason'),
    ...lookedUp('m', { name: 'ie_title', heading: 'In Ireland', as: 'sentence' }),
    ...fields('uk_product_key', 'ie_product_key'),
  ],
  table: () => ['uk_product_id', 'uk_title', 'uk_price', 'ie_price', 'ie_price_gbp', 'gap_pct', 'match_label'],
  key: ['uk_product_id', 'ie_product_id', 'snapshot_date'],
  isDerived: true,
  rows: ({ date, match, categoryKeys, words }) => sql`
    select
      snapshot_date, tier, match_label, precision_pct, matched_since,
      uk_price, uk_currency, ie_price, ie_currency,
      trim_scale(rate) as rate, rate_date, ie_price_gbp, gap_pct, reason,
      uk_product_key, ie_product_key, uk_department
    from (
      select * from marts.fct_region_gap where ${allOf(
        sql`snapshot_date = ${date} and tier = any (${tiers[match]})`,
        words && sql`uk_product_key in ${titled('uk', words)}`,
        categoryKeys &&
          sql`(uk_product_key in (${productsIn(categoryKeys)}) or ie_product_key in (${productsIn(categoryKeys)}))`,
      )} offset 0
    ) as gap`,
  order: ({ sort }) => sql`${orders[sort].by}, uk_product_key, ie_product_key`,
  lookUp: () => sql`join marts.region_match m using (uk_product_key, ie_product_key)`,
  async settle(parameters, ask) {
    if (parameters.date !== undefined) return parameters;
    const { rows } = await ask(sql`
      select coalesce(${lastOfBoth}, max(snapshot_date)) as date
      from (select snapshot_date from marts.snapshot where ${isCertified} group by 1 having count(*) = 2) as night`);
    const date = rows[0]?.['date'];
    if (typeof date === 'string') return { ...parameters, date };
    throw new NothingFound('No night is certified in both regions yet: crawl both, then compare.');
  },
  none: ({ date, match }) =>
    `No such match was listed on ${date}, or a region was not certified.` +
    (match === 'all' ? '' : ' Matches of all kinds (`--match all`) include likely ones, by name.'),
  async notes({ date, match, category, words }, ask, rows) {
    const [all] = (await ask(parityOf(date, match))).rows;
    const { priced, dearer, cheaper, average } = gapFigures;
    const counted = sql`
      select ${priced} as priced, ${dearer} as dearer, ${cheaper} as cheaper, (${average})::float8 as average
      from (${rows}) as gap`;
    const [figures] = (await ask(counted)).rows as unknown as readonly [GapFigures];
    // Same rule as in marts.fct_region_gap.
    const rates = sql`
      select trim_scale(rate)::text as rate from marts.fx_rate
      where base = 'EUR' and quote = 'GBP' and on_date between ${date}::date - 7 and ${date}::date
      order by on_date desc limit 1`;
    const euro = (await ask(rates)).rows[0]?.['rate'];
    const at = euro === undefined ? 'the exchange rate' : `£${euro} for a euro`;
    const isOfAll = (category ?? words) === undefined;
    const notes = [`${date}, taxes included. The gap says how much dearer Ireland is at ${at}.`];
    if (figures.priced > 0) notes.push(`Of ${plural(figures.priced, 'pair')} with both prices, ${gapWords(figures)}.`);
    const { uk_matched_pct: uk, ie_matched_pct: ie, precision_pct: right } = all!;
    if (uk && ie && isOfAll)
      notes.push(`Matched: ${uk}% of what the UK lists, ${ie}% in Ireland. At least ${right}% of matches are right.`);
    if (euro === undefined)
      notes.push(`No rate is known for ${date} or 7 days before: \`pricebook rates load FILE.csv\` loads some.`);
    return notes;
  },
});

import { fields, lookedUp, type RowOf } from '../../questions/columns.ts';
import { compare, parityOf } from '../../questions/compare.ts';
import { sql } from '../../questions/sql.ts';
import { compareHref, productHref } from '../kernel/addresses.ts';
import { beside, chips, filters, when } from '../kernel/blocks.tsx';
import { breakdown, columns, spread } from '../kernel/counts.tsx';
import { added, type ParametersOf, page, type Shown, withColumns } from '../kernel/page.ts';
import { Badge, Change } from '../kernel/parts.tsx';
import { products } from '../kernel/products.tsx';
import { longDate, money, plural, share, text, unsnaked } from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';

const distance = spread(sql`gap_pct::float8`, [1, 10, 20]);

/** Only matches with prices in both regions are compared; the British product stands for both. */
const asked = withColumns(
  compare,
  added('region', 'text', sql`'uk'`),
  added('product_key', 'key', sql`asked.uk_product_key`),
  ...lookedUp(
    'm',
    added('product_id', 'text', sql`m.uk_product_id`),
    added('title', 'sentence', sql`m.uk_title`),
    added(
      'on_offer',
      'text',
      sql`(
      select string_agg(distinct upper(c.region), ' and ') from marts.fct_promotion_check c
      where c.product_key in (asked.uk_product_key, asked.ie_product_key) and c.snapshot_date <= asked.snapshot_date
        and (c.ended_on is null or c.ended_on > asked.snapshot_date))`,
    ),
  ),
  added('has_both', 'yes-no', sql`(asked.uk_price > 0 and asked.ie_price > 0)`),
  added('distance', 'text', distance.by),
);

type Article = RowOf<typeof asked>;
type Parameters = ParametersOf<typeof asked>;

/** Differences within a percent count as about the same. */
const figures = {
  both: sql`(count(*) filter (where has_both))::int`,
  priced: sql`count(gap_pct)::int`,
  dearer: sql`(count(*) filter (where gap_pct > 1))::int`,
  cheaper: sql`(count(*) filter (where gap_pct < -1))::int`,
  // The geometric mean of the ratios, in percent; a ratio over ten is a wrong match.
  average: sql`round(10000 * (exp(avg(ln(1 + gap_pct::float8 / 100))
        filter (where gap_pct between -90 and 900)) - 1)) / 100`,
  precision: sql`trunc(max(precision_pct), 1)::float8`,
  rate: sql`max(rate)::text`,
  rate_date: sql`max(rate_date)::text`,
  part: sql`grouping(match_label, uk_department, distance)`,
} as const;

/** Figures of all matches (7), by certainty (3), department (5) or distance (6), which one statement counts. */
async function figuresOf({ countBy }: Pick<Shown<Article, Parameters>, 'countBy'>, part: 3 | 5 | 6 | 7) {
  const found = await countBy(sql`coalesce(match_label, uk_department, distance)`, figures, {
    groups: sql`grouping sets ((), (match_label), (uk_department), (distance))`,
  });
  return found.filter((row) => row.part === part);
}

/** How much of the listings the figures are of. */
async function coverage({ ask, parameters: { date = '', match } }: Shown<Article, Parameters>) {
  const [all] = await ask({
    caption: 'Coverage of the matches',
    columns: fields('uk_matched_pct', 'ie_matched_pct'),
    sql: parityOf(date, undefined, match),
  });
  if (!all?.uk_matched_pct || !all.ie_matched_pct) return null;
  return (
    <p class="notice">
      {`${share(all.uk_matched_pct)} of the products listed in the UK, and ${share(all.ie_matched_pct)} of those in ` +
        'Ireland, have a match and a price in both.'}
    </p>
  );
}

export const twoRegionsPage = page(asked, {
  path: '/uk-ireland',
  nav: 'UK & Ireland',
  about: 'Prices of the same products in the United Kingdom and Ireland, tax included, on a night certified in both.',
  async title({ ask, countBy, parameters: { words, match, category } }) {
    const [all] = await figuresOf({ countBy }, 7);
    const where = await inCategory({ ask }, { region: 'uk', category });
    const about = `${words === undefined ? '' : ` with “${text(words)}”`}${where}`;
    if (!all || all.both === 0) return `No product${about} is known to be sold in both the UK and Ireland`;
    const isLikely = match === 'all' || match === 'likely';
    const sold = `${plural(all.both, 'product')}${about} ${isLikely ? 'likely sold' : 'sold'} in both`;
    if (all.priced === 0) return `${sold}; no exchange rate is known`;
    const part = (some: number) =>
      some === 0 ? 'none' : some === all.priced ? 'all' : share((100 * some) / all.priced);
    const { average } = all;
    const size = Math.abs(average) < 0.05 ? 'as dear' : `${share(average)} ${average > 0 ? 'dearer' : 'cheaper'}`;
    return `Of ${sold}, ${part(all.dearer)} are dearer in Ireland and ${part(all.cheaper)} cheaper; ${size} on average`;
  },
  lead: async ({ countBy, parameters: { date, rate } }) => {
    const [all] = await figuresOf({ countBy }, 7);
    const prices = date === undefined ? '' : `Shelf prices of the night of ${longDate(date)}, with taxes. `;
    if (rate !== undefined) return `${prices}At your rate: £${rate} for a euro.`;
    return all?.rate ? `${prices}£${Number(all.rate)} for a euro (${longDate(String(all.rate_date))}).` : prices;
  },
  blocks: [
    chips('match', 'Certainty of the match', {
      sure: 'Sure: same barcode or base number',
      all: 'Also likely ones',
      barcode: 'Same barcode',
      number: 'Same base number',
      likely: 'Likely: only the same name',
    }),
    filters('words', 'category', 'rate', 'sort', 'date'),
    when(({ parameters: { words, category } }) => (words ?? category) === undefined, coverage),
    beside('pair flow')(
      columns('gap_pct', {
        kinds: distance.kinds,
        counts: (page) => figuresOf(page, 6),
        title: 'How far apart the prices are',
        aside: 'products by the price in Ireland against the UK',
      }),
      breakdown('match_label', {
        title: 'How sure the matches are',
        heading: 'Match',
        counts: (page) => figuresOf(page, 3),
        figures: {
          both: ['Products'],
          precision: ['Right, at least %'],
          average: ['Ireland against UK', 'percent'],
        },
        remark: 'Precision is measured on a simulated book. All nights are compared by the matches of today.',
      }),
      breakdown('uk_title', {
        title: 'By British department, on average',
        heading: 'Department',
        counts: (page) => figuresOf(page, 5),
        figures: { priced: ['Products'], average: ['Ireland against UK', 'percent'] },
        order: 'average',
      }),
    ),
    products({
      title: 'Product by product',
      aside: 'small chart: the British price',
      below: (row) => (
        <>
          <a href={productHref('ie', row.ie_product_id)}>
            In Ireland<span class="hidden">: {text(row.ie_title ?? '')}</span>
          </a>
          <a href={compareHref('uk', row.uk_product_id)} aria-label={`Compare ${text(row.title ?? '')}`}>
            Compare
          </a>
          {row.tier === 3 && <Badge>likely, by name</Badge>}
          {row.on_offer && <Badge kind="offer">{`On offer: ${row.on_offer.replace('IE', 'Ireland')}`}</Badge>}
        </>
      ),
      cells: [
        { heading: 'UK', isNamed: true, show: ({ uk_price, uk_currency }) => money(uk_price, uk_currency) },
        {
          heading: 'Ireland',
          isNamed: true,
          show: ({ ie_price, ie_currency, ie_price_gbp, uk_currency }) => (
            <>
              {money(ie_price, ie_currency)}
              {ie_price_gbp !== null && <small>{money(Number(ie_price_gbp).toFixed(2), uk_currency)}</small>}
            </>
          ),
        },
        {
          heading: 'Ireland against UK',
          isPrice: true,
          show: ({ gap_pct, reason }) =>
            gap_pct === null ? <small>{unsnaked(reason ?? '')}</small> : <Change percent={gap_pct} />,
        },
      ],
    }),
  ],
});

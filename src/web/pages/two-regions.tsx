import { fields, lookedUp, type RowOf } from '../../questions/columns.ts';
import { compare, gapFigures, gapWords, parityOf } from '../../questions/compare.ts';
import { sql } from '../../questions/sql.ts';
import { compareHref, productHref } from '../kernel/addresses.ts';
import { chips, filters, pair } from '../kernel/blocks.tsx';
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

const figures = {
  both: sql`(count(*) filter (where has_both))::int`,
  ...gapFigures,
  rate: sql`max(rate)::text`,
  rate_date: sql`max(rate_date)::text`,
  part: sql`grouping(uk_department, distance)`,
} as const;

/** Figures of all matches (3), by department (1) or distance (2), which one statement counts. */
async function figuresOf({ countBy }: Pick<Shown<Article, Parameters>, 'countBy'>, part: 1 | 2 | 3) {
  const found = await countBy(sql`coalesce(uk_department, distance)`, figures, {
    groups: sql`grouping sets ((), (uk_department), (distance))`,
  });
  return found.filter((row) => row.part === part);
}

/** How much of the listings the figures are of. */
async function coverage({ ask, parameters: { date = '', match } }: Shown<Article, Parameters>) {
  const [all] = await ask({
    caption: 'Coverage of the matches',
    columns: fields('uk_matched_pct', 'ie_matched_pct', 'precision_pct'),
    sql: parityOf(date, match),
  });
  const { uk_matched_pct: uk, ie_matched_pct: ie } = all!;
  const right = Math.floor(Number(all!.precision_pct));
  const listed = `${share(uk)} of the products listed in the UK, and ${share(ie)} of those in Ireland`;
  return ` ${listed}, have a match and a price in both. At least ${right}% of such matches are right.`;
}

export const twoRegionsPage = page(asked, {
  path: '/uk-ireland',
  nav: 'UK & Ireland',
  about: 'Prices of the same products in the United Kingdom and Ireland, tax included, on a night certified in both.',
  async title({ ask, countBy, parameters: { words, match, category } }) {
    const [all] = await figuresOf({ countBy }, 3);
    const where = await inCategory({ ask }, { region: 'uk', category });
    const about = `${words === undefined ? '' : ` with “${text(words)}”`}${where}`;
    if (!all || all.both === 0) return `There is no product${about} to compare in the UK and Ireland`;
    const isLikely = match === 'all' || match === 'likely';
    const sold = `${plural(all.both, 'product')}${about} ${isLikely ? 'likely sold' : 'sold'} in both`;
    if (all.priced === 0) return `${sold}; no exchange rate is known`;
    return `Of ${sold}, ${gapWords(all)}`;
  },
  async lead(shown) {
    const { date, words, category } = shown.parameters;
    const [all] = await figuresOf(shown, 3);
    const prices =
      date === undefined || !all?.both ? '' : `Shelf prices of the night of ${longDate(date)}, with taxes. `;
    const euro = all?.rate_date ? `£${Number(all.rate)} for a euro (${longDate(String(all.rate_date))}).` : '';
    return `${prices}${euro}${all?.priced && (words ?? category) === undefined ? await coverage(shown) : ''}`;
  },
  blocks: [
    chips('match', 'Certainty of the match', {
      sure: 'Sure: same barcode or shop’s number',
      all: 'Also likely ones',
      barcode: 'Same barcode',
      number: 'Same shop’s number',
      likely: 'Likely: only the same name',
    }),
    filters('words', 'category', 'sort', 'date'),
    pair(
      columns('gap_pct', {
        kinds: distance.kinds,
        counts: (page) => figuresOf(page, 2),
        title: 'How far apart the prices are',
        aside: 'products by the price in Ireland against the UK',
      }),
      breakdown('uk_title', {
        title: 'By British department, on average',
        heading: 'Department',
        counts: (page) => figuresOf(page, 1),
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

import { z } from 'zod';
import { lastOfBoth } from '../../questions/certified.ts';
import { compare } from '../../questions/compare.ts';
import { DateParameter, textUpTo, Words } from '../../questions/parameters.ts';
import { type Column, columnsOf } from '../../questions/question.ts';
import { PageRows, type Sql, sql } from '../../questions/sql.ts';
import { Change } from '../change.tsx';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { DataTable, filled } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Choice, Field, Filters, Pager, productHref } from '../parts.tsx';
import { unitPrice } from '../product-table.tsx';
import { withCode } from '../with-code.tsx';
import { longDate, nothing, plural, share, text, unsnaked } from '../words.ts';

interface Gap {
  readonly uk_product_id: string;
  readonly uk_title: string;
  readonly ie_product_id: string;
  readonly ie_title: string;
  readonly gap_pct: string | null;
  readonly reason: string | null;
  readonly uk_unit_price: string | null;
  readonly uk_unit_of_measure: string | null;
  readonly ie_unit_price: string | null;
  readonly ie_unit_of_measure: string | null;
  readonly ratio: string | null;
  readonly tier: number;
}

interface Rates {
  readonly parity: string | null;
  readonly rate: string | null;
}

interface Department extends Rates {
  readonly department: string | null;
  readonly matched_products: number;
  readonly gap_pct: string | null;
  readonly snapshot_date: string;
}

interface Parity extends Rates {
  readonly snapshot_date: string;
  readonly matched_products: number;
  readonly gap_pct: string | null;
}

const figures: readonly Column[] = [
  { name: 'matched_products', heading: 'Articles', as: 'number' },
  { name: 'left_out_products', heading: 'Over ten times apart, left out', as: 'number' },
  { name: 'parity', heading: 'Parity, € for £1', as: 'number' },
  { name: 'rate', heading: 'Rate, £ for €1', as: 'number' },
  { name: 'gap_pct', heading: 'Ireland at the rate', as: 'percent' },
];

const rowsOfPage = 50;
const nightsOfChart = 92;

export const twoRegions = definePage({
  path: '/uk-ireland',
  nav: 'Regions',
  // Exchange rates are loaded at any time.
  changesBetweenNights: true,
  about: 'Prices of the same articles in the United Kingdom and Ireland, tax included, on a night certified in both.',
  parameters: {
    date: DateParameter.optional().meta({
      description: 'Compares the last night certified in both regions up to this date',
    }),
    department: textUpTo(200).meta({ description: 'British department' }),
    words: Words.meta({ description: 'Beginnings of words of the British title or brand' }),
    sort: z.enum(['dearer-ie', 'dearer-uk', 'newest']).default('dearer-ie'),
    page: PageNumber,
  },
  queries: (p) => {
    const night = lastOfBoth(p.date);
    const order = {
      'dearer-ie': sql`spell.ratio desc, spell.uk_product_key desc, spell.ie_product_key desc`,
      'dearer-uk': sql`spell.ratio, spell.uk_product_key, spell.ie_product_key`,
      newest: sql`spell.uk_product_key desc, spell.ie_product_key desc`,
    }[p.sort];
    // A join: filtering by an array scans all past spells and takes twice as long.
    const ofDepartment =
      p.department === undefined
        ? sql``
        : sql`
            join (
              select distinct member.product_key from marts.dim_category c
              cross join lateral marts.products_in_category(c.category_key, ${night}) member
              where c.region = 'uk' and c.depth = 0 and c.name = ${p.department}
            ) as chosen on chosen.product_key = spell.uk_product_key`;
    const withWords =
      p.words === undefined
        ? sql``
        : sql`
            join marts.find_products('uk', ${p.words}) found on found.product_key = spell.uk_product_key`;
    const heldOn = (date: Sql) =>
      sql`spell.valid_from <= ${date} and (spell.valid_to is null or spell.valid_to > ${date})`;
    // With words, the same figures from the single articles.
    const byNight =
      p.words === undefined
        ? sql`
            select * from marts.fct_region_jevons
            where department is not distinct from ${p.department ?? null}::text`
        : sql`
            select *, round(100 * (parity * rate - 1), 2) as gap_pct
            from (
              select
                jevons.snapshot_date, jevons.rate, jevons.rate_date,
                count(*) filter (where spell.ratio between 0.1 and 10) as matched_products,
                count(*) filter (where spell.ratio not between 0.1 and 10) as left_out_products,
                exp(avg(ln(spell.ratio)) filter (where spell.ratio between 0.1 and 10))::numeric as parity
              from marts.fct_region_price_spell spell${ofDepartment}${withWords}
              join marts.fct_region_jevons jevons
                on jevons.uk_category_key is null and ${heldOn(sql`jevons.snapshot_date`)}
              group by jevons.snapshot_date, jevons.rate, jevons.rate_date
            ) as chosen_articles`;
    return {
      departments: {
        caption: 'By British department',
        sql: sql`
          select
            department, matched_products, left_out_products, round(parity, 4) as parity, rate, rate_date, gap_pct,
            snapshot_date
          from marts.fct_region_jevons
          where snapshot_date = ${night} and matched_products > 0
          order by department nulls first`,
        columns: [{ name: 'department' }, ...figures],
        none: 'No article has a price in both regions on a night certified in both.',
      } as Query<Department>,
      articles: {
        caption: 'Article by article',
        sql: sql`
          with shown as materialized (
            select spell.uk_product_key, spell.ie_product_key, spell.ratio
            from marts.fct_region_price_spell spell${ofDepartment}${withWords}
            where ${heldOn(night)}
            order by ${order}
            limit ${new PageRows(rowsOfPage)} offset ${(p.page - 1) * rowsOfPage}
          )
          select
            gap.*, round(gap.ie_price / gap.uk_price, 4) as ratio, uk.unit_price as uk_unit_price,
            uk.unit_of_measure as uk_unit_of_measure, ie.unit_price as ie_unit_price,
            ie.unit_of_measure as ie_unit_of_measure
          from shown spell
          join (${compare.sql({ date: night }, { limit: null, among: sql`(select uk_product_key from shown)` })}) as gap
            on gap.uk_product_key = spell.uk_product_key and gap.ie_product_key = spell.ie_product_key
          left join marts.product_now uk on uk.product_key = gap.uk_product_key
          left join marts.product_now ie on ie.product_key = gap.ie_product_key
          order by ${order}`,
        columns: [
          ...columnsOf(compare, 'uk_title', 'ie_title', 'uk_price'),
          { name: 'uk_unit_price', heading: 'UK per unit now' },
          ...columnsOf(compare, 'ie_price'),
          { name: 'ie_unit_price', heading: 'Ireland per unit now' },
          { name: 'ratio', heading: '€ for £1 of it', as: 'number' },
          ...columnsOf(compare, 'gap_pct', 'tier'),
        ],
        none: 'No article has a price in both regions on that night.',
      } as Query<Gap>,
      nights: {
        caption: 'Parity by night',
        sql: sql`
          select
            snapshot_date, matched_products, left_out_products, round(parity, 6) as parity, rate, rate_date, gap_pct
          from (${byNight}) as figure
          where snapshot_date between ${night} - ${nightsOfChart - 1}::int and ${night}
          order by snapshot_date`,
        columns: [{ name: 'snapshot_date', heading: 'Night', as: 'date' }, ...figures],
        none: 'No such article has a price in both regions on a night certified in both.',
      } as Query<Parity>,
    };
  },
  title: (p, { nights: { rows } }) => {
    const last = rows.at(-1);
    const chosen = chosenArticles(p);
    const which = chosen === '' ? '' : `${chosen}: `;
    if (!last || last.parity === null) return `${which}The United Kingdom and Ireland`;
    if (last.gap_pct === null)
      return `${which}What costs £1 in the United Kingdom costs €${Number(last.parity).toFixed(2)} in Ireland`;
    const gap = Number(last.gap_pct);
    return `${which}The same articles cost ${share(gap)} ${gap > 0 ? 'more' : 'less'} in Ireland`;
  },
  lead: (_, { nights: { rows } }) => {
    const last = rows.at(-1);
    if (!last) return '';
    return `${plural(last.matched_products, 'article')} on the night of ${longDate(last.snapshot_date)}, with taxes.`;
  },
  empty: ({ departments, nights }) =>
    departments.rows.length === 0 && nights.rows.length === 0
      ? 'No article is known to be sold in both regions on a night certified in both.'
      : null,
  view: ({ parameters: p, tables: { departments, articles, nights }, hrefWith }) => (
    <>
      <Filters action="/uk-ireland">
        <Field name="words" label="Title or brand in the UK" value={p.words} type="search" />
        <Choice
          name="department"
          label="Department"
          value={p.department ?? ''}
          options={{
            '': 'all',
            ...Object.fromEntries(
              departments.rows.flatMap(({ department }) =>
                department === null ? [] : [[department, text(department)]],
              ),
            ),
          }}
        />
        <Choice
          name="sort"
          label="Order"
          value={p.sort}
          options={{
            'dearer-ie': 'dearest in Ireland first',
            'dearer-uk': 'dearest in the UK first',
            newest: 'newest first',
          }}
        />
        <Field name="date" label="Night up to" value={p.date} type="date" />
      </Filters>
      <div class="pair">
        <Card title="Euros that buy what £1 buys" aside={`${chosenArticles(p) || 'all articles'}, night by night`}>
          {nights.rows.length > 0 && (
            <PeriodChart
              id="parity"
              title="Parity by night"
              description={`Euros that buy what a pound buys, ${plural(nights.rows.length, 'night')}.`}
              periods={datesBetween(nights.rows[0]!.snapshot_date, nights.rows.at(-1)!.snapshot_date)}
              series={[
                {
                  name: '€ for £1 of the same articles',
                  values: new Map(
                    nights.rows.map((row) => [row.snapshot_date, row.parity === null ? null : Number(row.parity)]),
                  ),
                },
              ]}
              format={(value) => `€${Number(value.toFixed(4))}`}
            />
          )}
          <p class="quiet">
            The higher it is, the dearer Ireland is, whatever the exchange rate. Taxes differ. Load exchange rates to
            see how much dearer Ireland is at the rate: {withCode('`pricebook rates load FILE.csv`')}.
          </p>
          <DataTable of={filled(nights)} isFolded={nights.rows.length > 0} cells={rates} />
        </Card>
        <Card title="By department">
          <DataTable
            of={filled(departments)}
            cells={{
              ...rates,
              department: (row) =>
                row.department === null ? (
                  <strong>all</strong>
                ) : (
                  <a href={hrefWith({ department: row.department, page: null })}>{text(row.department)}</a>
                ),
              gap_pct: (row) => <Change percent={row.gap_pct} />,
            }}
          />
        </Card>
      </div>
      <Card title="Article by article">
        <DataTable
          of={filled(articles)}
          cells={{
            uk_title: (row) => (
              <a class="name" href={productHref('uk', row.uk_product_id)}>
                {text(row.uk_title)}
              </a>
            ),
            ie_title: (row) => <a href={productHref('ie', row.ie_product_id)}>{text(row.ie_title)}</a>,
            uk_unit_price: (row) =>
              unitPrice({ unit_price: row.uk_unit_price, unit_of_measure: row.uk_unit_of_measure, currency: 'GBP' }),
            ie_unit_price: (row) =>
              unitPrice({ unit_price: row.ie_unit_price, unit_of_measure: row.ie_unit_of_measure, currency: 'EUR' }),
            ratio: (row) => asRate(row.ratio),
            gap_pct: (row) =>
              row.gap_pct === null ? unsnaked(row.reason ?? '') || nothing : <Change percent={row.gap_pct} />,
            tier: (row) => tiers[row.tier] ?? row.tier,
          }}
        />
        <Pager page={p.page} hasMore={articles.hasMore} hrefWith={hrefWith} />
      </Card>
    </>
  ),
});

/** The words and the department that are chosen: `“milk”, Dairy`; empty: all articles. */
function chosenArticles({ words, department }: { words?: string | undefined; department?: string | undefined }) {
  return text([words && `“${words}”`, department].filter(Boolean).join(', '));
}

/** Four decimals, as usual for exchange rates; nightly changes show in the third. */
function asRate(rate: string | null): string {
  return rate === null ? nothing : Number(rate).toFixed(4);
}

const rates = {
  parity: (row: Rates) => asRate(row.parity),
  rate: (row: Rates) => asRate(row.rate),
};

/** How a match is established; see docs/analyse/two-regions.md. */
const tiers: Readonly<Record<number, string>> = { 1: 'barcode', 2: 'product number', 3: 'name' };

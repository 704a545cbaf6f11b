import type { RegionCode } from '../../base/model/index.ts';
import { type ProductLine, withLine } from '../../questions/product-line.ts';
import { type Column, fields } from '../../questions/question.ts';
import { PageRows, type Sql, sql } from '../../questions/sql.ts';
import type { Query } from '../page.ts';

/** How the prices of two currencies were made comparable. */
export interface Rate {
  readonly snapshot_date: string | null;
  /** Pounds for one euro; null: no article is in both regions. */
  readonly rate: string | null;
  /** `usual`: none is known, so that prices are compared with the usual difference of the night. */
  readonly basis: 'asked' | 'loaded' | 'usual';
  readonly rate_date: string | null;
  readonly source: string | null;
}

/** Articles by the difference of their prices; without a step: all of them. */
export interface Step {
  readonly step: number | null;
  readonly products: string;
  /** By more than what counts as about the same. */
  readonly dearer: string;
  readonly cheaper: string;
  /** Matched by more than the name. */
  readonly sure: string;
  /** Of the geometric mean of the ratios, as everywhere on the page. */
  readonly average_pct: string | null;
}

export interface Department {
  readonly department: string | null;
  readonly matched_products: number;
  readonly gap_pct: string | null;
}

export interface Parity {
  readonly snapshot_date: string;
  readonly parity: string | null;
}

export interface Article extends ProductLine {
  readonly uk_product_id: string;
  readonly ie_product_id: string;
  readonly uk_price: string;
  readonly ie_price: string;
  readonly gap_pct: string | null;
  readonly other_title: string;
  readonly tier: number;
  /** Ratio of both prices as JSON: `[[valid_from, valid_to, ratio], …]`. */
  readonly ratios: string;
}

interface Asked {
  readonly region: RegionCode;
  readonly department?: string | undefined;
  readonly words?: string | undefined;
  readonly rate?: number | undefined;
  readonly match: 'sure' | 'all';
  readonly sort: 'dearer-ie' | 'dearer-uk' | 'newest';
  readonly page: number;
}

/** Bounds of the steps of the spread, in percent; the middle step is about the same. */
export const bounds = [-20, -10, -5, -1, 1, 5, 10, 20] as const;
export const middleStep = bounds.length / 2;

/** Tier of a match by brand, name and content; see docs/analyse/two-regions.md. */
export const nameTier = 3;

const figures: readonly Column[] = [
  { name: 'matched_products', heading: 'Products', as: 'number' },
  { name: 'left_out_products', heading: 'Over ten times apart, left out', as: 'number' },
  { name: 'parity', heading: 'Parity, € for £1', as: 'number' },
  { name: 'rate', heading: 'Rate, £ for €1', as: 'number' },
];

const rowsOfPage = 10;
const nightsOfChart = 92;

/** Statements about the articles that both regions sell on a night. */
export function articleQueries(p: Asked, night: Sql) {
  const loaded = (column: Sql) => sql`(
          select ${column} from marts.fx_rate
          where base = 'EUR' and quote = 'GBP' and on_date between ${night} - 7 and ${night}
          order by on_date desc limit 1)`;
  const usual = sql`(
          select 1 / parity from marts.fct_region_jevons where snapshot_date = ${night} and uk_category_key is null)`;
  const asked = sql`${p.rate ?? null}::numeric`;
  const rate = sql`coalesce(${asked}, ${loaded(sql`rate`)}, ${usual})`;
  /** Percent by which the other region is dearer, of euros for a pound. */
  const gap = (ratio: Sql) =>
    p.region === 'uk'
      ? sql`100 * (${ratio} * (${rate})::float8 - 1)`
      : sql`100 * (1 / (${ratio} * (${rate})::float8) - 1)`;
  // A join: filtering by an array scans all past spells and takes twice as long.
  const chosen = sql`${
    p.department === undefined
      ? sql``
      : sql`
            join (
              select distinct member.product_key from marts.dim_category c
              cross join lateral marts.products_in_category(c.category_key, ${night}) member
              where c.region = 'uk' and c.depth = 0 and c.name = ${p.department}
            ) as chosen on chosen.product_key = spell.uk_product_key`
  }${
    p.words === undefined
      ? sql``
      : sql`
            join marts.find_products('uk', ${p.words}) found on found.product_key = spell.uk_product_key`
  }`;
  const heldOn = (date: Sql) =>
    sql`spell.valid_from <= ${date} and (spell.valid_to is null or spell.valid_to > ${date})`;
  const order = {
    'dearer-ie': sql`spell.ratio desc, spell.uk_product_key desc, spell.ie_product_key desc`,
    'dearer-uk': sql`spell.ratio, spell.uk_product_key, spell.ie_product_key`,
    newest: sql`spell.uk_product_key desc, spell.ie_product_key desc`,
  }[p.sort];
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
              from marts.fct_region_price_spell spell${chosen}
              join marts.fct_region_jevons jevons
                on jevons.uk_category_key is null and ${heldOn(sql`jevons.snapshot_date`)}
              group by jevons.snapshot_date, jevons.rate, jevons.rate_date
            ) as chosen_articles`;
  const own = p.region === 'uk' ? sql`uk_product_key` : sql`ie_product_key`;
  const other = p.region === 'uk' ? sql`ie_title` : sql`uk_title`;
  const drawn = p.region === 'uk' ? sql`past.ratio` : sql`1 / past.ratio`;
  const sure =
    p.match === 'all'
      ? sql``
      : sql`
            join marts.region_match sure
              on sure.uk_product_key = spell.uk_product_key and sure.ie_product_key = spell.ie_product_key
              and sure.tier < ${nameTier}`;
  return {
    departments: {
      caption: 'By British department',
      sql: sql`
          select
            department, matched_products, left_out_products, round(parity, 4) as parity, rate, rate_date,
            round((${gap(sql`parity::float8`)})::numeric, 2) as gap_pct, snapshot_date
          from marts.fct_region_jevons
          where snapshot_date = ${night} and matched_products > 0
          order by department is not null, abs(${gap(sql`parity::float8`)}) desc nulls last, department`,
      columns: [
        { name: 'department' },
        { name: 'matched_products', heading: 'Products', as: 'number' },
        { name: 'gap_pct', heading: 'Difference', as: 'percent' },
      ],
      none: 'No product has a price in both regions on a night certified in both.',
    } as Query<Department>,
    rate: {
      caption: 'Exchange rate',
      sql: sql`
          select
            ${night} as snapshot_date, round(${rate}, 4) as rate,
            case when ${asked} is not null then 'asked' when loaded.rate is not null then 'loaded' else 'usual' end
              as basis,
            loaded.on_date as rate_date, loaded.source
          from (select ${loaded(sql`rate`)} as rate, ${loaded(sql`on_date`)} as on_date,
            ${loaded(sql`source`)} as source) as loaded`,
      columns: [{ name: 'rate', heading: 'Pounds for one euro', as: 'decimal' }, { name: 'basis' }, { name: 'source' }],
    } as Query<Rate>,
    spread: {
      caption: 'How far the prices are apart',
      sql: sql`
          select
            step, count(*) as products, count(*) filter (where width > ${middleStep}) as dearer,
            count(*) filter (where width < ${middleStep}) as cheaper, count(*) filter (where is_sure) as sure,
            round((${gap(sql`exp(avg(ln(ratio)))`)})::numeric, 2) as average_pct
          from (
            select ratio, is_sure, width, width as step
            from (
              select
                spell.ratio, match.tier < ${nameTier} as is_sure,
                width_bucket(${gap(sql`spell.ratio`)}, ${bounds}::float8[]) as width
              from marts.fct_region_price_spell spell${chosen}
              left join marts.region_match match
                on match.uk_product_key = spell.uk_product_key and match.ie_product_key = spell.ie_product_key
              where ${heldOn(night)} and spell.ratio between 0.1 and 10
            ) as articles
          ) as stepped
          group by grouping sets ((), (step))
          order by step nulls first`,
      columns: [
        { name: 'step', heading: 'Step' },
        { name: 'products', heading: 'Products', as: 'number' },
      ],
      none: 'No product is in both regions.',
    } as Query<Step>,
    articles: {
      caption: 'Product by product',
      sql: withLine(
        sql`
          select
            ${night} as snapshot_date, spell.${own} as product_key, spell.uk_product_id, spell.uk_price,
            spell.ie_product_id, spell.ie_price, round(spell.ratio::numeric, 4) as ratio,
            round((${gap(sql`spell.ratio`)})::numeric, 2) as gap_pct, match.${other} as other_title, match.tier,
            (select
               json_agg(json_build_array(past.valid_from, past.valid_to, ${drawn}))::text
             from marts.fct_region_price_spell past
             where past.uk_product_key = spell.uk_product_key and past.ie_product_key = spell.ie_product_key) as ratios
          from (
            select spell.* from marts.fct_region_price_spell spell${chosen}${sure}
            where ${heldOn(night)}
            order by ${order}
            limit ${new PageRows(rowsOfPage)} offset ${(p.page - 1) * rowsOfPage}
          ) as spell
          left join marts.region_match match
            on match.uk_product_key = spell.uk_product_key and match.ie_product_key = spell.ie_product_key
          order by ${order}`,
        p.region,
      ),
      columns: [
        ...fields('title', 'brand'),
        { name: 'uk_price', heading: 'UK', as: 'money', currency: 'uk_currency' },
        { name: 'ie_price', heading: 'Ireland', as: 'money', currency: 'ie_currency' },
        { name: 'gap_pct', heading: 'Difference', as: 'percent' },
      ],
      none: 'No such product has a price in both regions on that night.',
    } as Query<Article>,
    nights: {
      caption: 'Parity by night',
      sql: sql`
          select
            snapshot_date, matched_products, left_out_products, round(parity, 6) as parity, rate, rate_date, gap_pct
          from (${byNight}) as figure
          where snapshot_date between ${night} - ${nightsOfChart - 1}::int and ${night}
          order by snapshot_date`,
      columns: [
        { name: 'snapshot_date', heading: 'Night', as: 'date' },
        ...figures,
        { name: 'gap_pct', heading: 'Ireland at the rate', as: 'percent' },
      ],
      none: 'No such product has a price in both regions on a night certified in both.',
    } as Query<Parity>,
  };
}

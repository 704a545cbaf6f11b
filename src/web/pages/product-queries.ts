import type { RegionCode } from '../../base/model/index.ts';
import { isCertified } from '../../questions/certified.ts';
import {
  type AvailabilitySpell,
  keyOf,
  type PriceSpell,
  type ProductFacts,
  productStatements,
  type Spell,
} from '../../questions/product.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { fields } from '../../questions/question.ts';
import { allOf, type Sql, sql } from '../../questions/sql.ts';
import { isStretch, type Stretch } from '../charts/stretch.ts';
import type { Query } from '../page.ts';
import { type PriorPrice, priorPriceNight } from '../prior-price.ts';
import { lineNights } from '../product-table.tsx';

export interface PromotionSpell extends Spell, PriorPrice {
  readonly description: string;
  readonly ended_on: string | null;
}

export interface PackSpell extends Spell {
  readonly pack_size: string;
  readonly pack_measure: string;
}

interface Match {
  readonly region: RegionCode;
  readonly product_id: string;
  readonly title: string;
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly availability: string;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly tier: number;
}

const from = { name: 'valid_from', heading: 'From the night of', as: 'date' } as const;
const to = { name: 'valid_to', heading: 'Until (exclusive)', as: 'date' } as const;

/** All queries of the product page. Charts cover the last `days` days, or the given date range. */
export function productQueries(
  region: RegionCode,
  id: string,
  { days, ...stretch }: { readonly days: number } & Stretch,
) {
  // As a scalar subquery the key is looked up first, so that only the product's partition of the categories is read.
  const key = keyOf(region, id);
  const statements = productStatements(region, id);
  return {
    prices: {
      caption: 'Prices',
      sql: statements.prices,
      columns: [from, to, ...fields('price', 'unit_price', 'loyalty_price')],
      none: 'No night lists this product.',
    } as Query<PriceSpell>,
    facts: {
      caption: 'The product',
      sql: statements.facts,
      columns: [{ name: 'title', heading: 'Title' }],
    } as Query<ProductFacts>,
    categories: {
      caption: 'Categories',
      sql: sql`
        select c.path, c.category_id, c.category_key
        from marts.product_category_now m
        join marts.dim_category c on c.category_key = m.category_key
        where m.product_key = ${key}
          and not exists (
            select from marts.product_category_now deeper
            join marts.dim_category d on d.category_key = deeper.category_key
            where deeper.product_key = ${key} and d.parent_key = m.category_key)
        order by c.path`,
      columns: [{ name: 'path', heading: 'Category' }],
    } as Query<{ readonly path: string }>,
    trail: {
      caption: 'Its shelf',
      sql: sql`
        with recursive shelf as (
          select c.category_key, c.parent_key, c.name, c.depth
          from marts.dim_category c
          where c.category_key = ${shelfOf(key)}
          union all
          select c.category_key, c.parent_key, c.name, c.depth
          from marts.dim_category c join shelf on shelf.parent_key = c.category_key
        )
        select category_key, trim(name) as name, depth from shelf order by depth`,
      columns: [{ name: 'name', heading: 'Category' }],
      none: 'It is in no category.',
    } as Query<{ readonly category_key: number; readonly name: string }>,
    shelf: {
      caption: 'Cheaper on the same shelf',
      sql: withLine(
        sql`
          select n.product_key, round(100 * (n.unit_price / own.unit_price - 1), 1) as difference_pct
          from marts.product_now own
          join marts.product_category_now m on m.category_key = ${shelfOf(key)}
          join marts.product_now n on n.product_key = m.product_key
          where own.product_key = ${key} and n.unit_of_measure = own.unit_of_measure
            and n.unit_price < own.unit_price and n.availability = 'available'
          order by n.unit_price, n.product_key
          limit 5`,
        region,
      ),
      columns: lineColumns,
      none: 'Nothing on its shelf is cheaper per unit.',
    } as Query<ProductLine & { readonly difference_pct: string }>,
    lines: lineNights(region),
    nights: {
      caption: 'Certified nights of the charts',
      sql: sql`
        select snapshot_date, certificate
        from marts.snapshot
        where region = ${region} and ${isCertified}
          and ${allOf(
            !isStretch(stretch) &&
              sql`snapshot_date >
              (select max(snapshot_date) from marts.snapshot where region = ${region}) - ${days}::int`,
            stretch.from !== undefined && sql`snapshot_date >= ${stretch.from}`,
            stretch.to !== undefined && sql`snapshot_date <= ${stretch.to}`,
          )}
        order by snapshot_date`,
      columns: [{ name: 'snapshot_date', heading: 'Night', as: 'date' }],
    } as Query<{ readonly snapshot_date: string }>,
    lowest: {
      caption: 'Lowest and highest prices',
      sql: sql`
        with last as (select max(snapshot_date) as night from marts.snapshot where region = ${region})
        select
          period.name as period, min(spell.price) as lowest_price, max(spell.price) as highest_price,
          min(spell.loyalty_price) as lowest_loyalty_price, min(spell.currency) as currency
        from last
        cross join (values (1, 'last 30 nights', 30), (2, 'last year', 366), (3, 'ever', 36500))
          as period (no, name, days)
        join marts.fct_price_spell spell
          on spell.region = ${region} and spell.product_id = ${id} and spell.product_key = ${key}
          and (spell.valid_to is null or spell.valid_to > last.night - period.days + 1)
        group by period.no, period.name
        order by period.no`,
      columns: [
        { name: 'period', heading: 'Period' },
        { name: 'lowest_price', heading: 'Lowest', as: 'money' },
        { name: 'highest_price', heading: 'Highest', as: 'money' },
        { name: 'lowest_loyalty_price', heading: 'Lowest for members', as: 'money' },
      ],
      none: 'No night lists this product.',
    } as Query,
    promotions: {
      caption: 'Promotions',
      sql: sql`
        select
          (f.seen_from at time zone region.time_zone)::date as valid_from,
          (f.seen_to at time zone region.time_zone)::date as valid_to,
          f.description, f.kind, f.loyalty_price, f.depth_pct, f.prior_30_day_price, f.starts_at, f.ends_at, f.currency,
          c.ended_on, c.stated_percent, c.real_pct, c.verdict_label, c.reduced_price, c.reference_price,
          c.prior_price, c.prior_nights_known, c.prior_nights_needed,
          c.prior_price_check, c.prior_price_reason, prior.prior_price_on
        from marts.fct_promotion f
        left join (
          select * from marts.fct_promotion_check where region = ${region} and product_id = ${id}
        ) as c on c.promotion_key = f.promotion_key and c.seen_from = f.seen_from
        cross join lateral (${priorPriceNight}
        ) as prior
        join marts.dim_region region on region.region = f.region
        where f.region = ${region} and f.product_id = ${id} and f.product_key = ${key}
        order by f.seen_from desc, f.description`,
      columns: [
        from,
        to,
        ...fields('description', 'loyalty_price'),
        { name: 'depth_pct', heading: 'Depth, %', as: 'number' },
        { name: 'prior_30_day_price', heading: 'Lowest of the 30 days before, where all are known', as: 'money' },
        { name: 'stated_percent', heading: 'Says, %', as: 'number' },
        { name: 'real_pct', heading: 'Is, %', as: 'number' },
        { name: 'verdict_label', heading: 'Verdict' },
      ],
      none: 'The product has had no promotion.',
    } as Query<PromotionSpell>,
    availability: {
      caption: 'Availability',
      sql: statements.availability,
      columns: [from, to, { name: 'availability', heading: 'Availability' }],
    } as Query<AvailabilitySpell>,
    packs: {
      caption: 'Pack sizes',
      sql: sql`
        select valid_from, valid_to, pack_size, pack_measure, pack_count, source
        from marts.fct_pack_size_spell
        where region = ${region} and product_id = ${id}
        order by valid_from desc`,
      columns: [
        from,
        to,
        { name: 'pack_size', heading: 'Size', as: 'number' },
        { name: 'pack_measure', heading: 'In' },
        { name: 'pack_count', heading: 'Pieces', as: 'number' },
        { name: 'source', heading: 'Source' },
      ],
      none: 'No pack size is known.',
    } as Query<PackSpell>,
    nutrition: {
      caption: 'Nutrition',
      sql: sql`
        select nutrient, basis, printed, amount, unit, is_upper_bound
        from marts.product_nutrition
        where region = ${region} and product_id = ${id}
        order by basis, nutrient`,
      columns: [
        { name: 'nutrient', heading: 'Nutrient' },
        { name: 'basis', heading: 'Per' },
        { name: 'printed', heading: 'As printed' },
      ],
      none: 'Its details contain no nutrition, or have not been read.',
    } as Query,
    match: matchQuery(region, id),
    sources: sourcesQuery(region, id),
  };
}

/** Deepest category of a product; a scalar subquery. */
const shelfOf = (key: Sql) => sql`(
            select m.category_key from marts.product_category_now m
            where m.product_key = ${key} order by m.depth desc, m.category_key limit 1)`;

function matchQuery(region: RegionCode, id: string): Query<Match> {
  const [here, there] = region === 'uk' ? [sql`uk`, sql`ie`] : [sql`ie`, sql`uk`];
  return {
    caption: 'Same article in the other region',
    sql: sql`
      select
        n.region, n.product_id, n.title, n.price, n.loyalty_price, n.unit_price, n.unit_of_measure, n.currency,
        n.availability, match.tier, match.score
      from marts.region_match match
      join marts.product_now n on n.product_key = match.${there}_product_key
      where match.${here}_product_id = ${id}
      order by match.tier, n.product_key`,
    columns: [...fields('title', 'price', 'unit_price', 'availability'), { name: 'tier', heading: 'Matched by' }],
    none: 'No matching product is known in the other region.',
  };
}

/**
 * For each value: the night since which it has been valid, the run that first saw it, and the payload if a single one
 * contains it.
 */
function sourcesQuery(region: RegionCode, id: string): Query<{ readonly certificate: string | null }> {
  const key = keyOf(region, id);
  return {
    caption: 'Night since which each value is valid',
    sql: sql`
      with price as (
        select
          valid_from, valid_to, loyalty_price is not null as is_for_members,
          coalesce(valid_from = lag(valid_to) over night and price is not distinct from lag(price) over night
            and unit_price is not distinct from lag(unit_price) over night, false) as is_as_before,
          coalesce(valid_from = lag(valid_to) over night
            and loyalty_price = lag(loyalty_price) over night, false) as is_as_before_for_members
        from marts.fct_price_spell where region = ${region} and product_id = ${id} and product_key = ${key}
        window night as (order by valid_from)
      ),
      value as (
        select 1 as no, 'price and unit price' as what, max(valid_from) filter (where not is_as_before) as since
        from price having bool_or(valid_to is null)
        union all
        select 2, 'price for members', max(valid_from) filter (where not is_as_before_for_members)
        from price having bool_or(valid_to is null and is_for_members)
        union all
        select 3, 'availability', valid_from
        from marts.fct_availability_spell
        where region = ${region} and product_id = ${id} and product_key = ${key} and valid_to is null
        union all
        select 4, 'pack size', valid_from
        from marts.fct_pack_size_spell
        where region = ${region} and product_id = ${id} and product_key = ${key} and valid_to is null
        union all
        select 5, 'title, brand, codes', (p.current_since at time zone r.time_zone)::date
        from marts.dim_product p join marts.dim_region r on r.region = p.region
        where p.region = ${region} and p.product_id = ${id} and p.replaced_at is null
        union all
        select 6, 'details and nutrition', (p.details_since at time zone r.time_zone)::date
        from marts.dim_product p join marts.dim_region r on r.region = p.region
        where p.region = ${region} and p.product_id = ${id} and p.replaced_at is null and p.details_since is not null
      )
      select
        value.what, value.since, night.run_id, night.certificate,
        case when value.no = 6 then answer.payload_sha256 end as payload_sha256
      from value
      left join marts.snapshot night on night.region = ${region} and night.snapshot_date = value.since
      left join marts.detail_payload answer
        on answer.run_id = night.run_id and answer.region = ${region} and answer.product_id = ${id}
      order by value.no`,
    columns: [
      { name: 'what', heading: 'Value' },
      { name: 'since', heading: 'Since the night of', as: 'date' },
      { name: 'run_id', heading: 'Run' },
      { name: 'certificate', heading: 'Certificate' },
      { name: 'payload_sha256', heading: 'Payload' },
    ],
  };
}

import type { RegionCode } from '../../base/model/index.ts';
import { isCertified, lastCertified } from '../../questions/certified.ts';
import { packChanges } from '../../questions/pack-changes.ts';
import {
  type AvailabilitySpell,
  keyOf,
  type PriceSpell,
  type ProductFacts,
  productStatements,
  type Spell,
} from '../../questions/product.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { isRunning } from '../../questions/promotions.ts';
import { fields } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { trailOf } from '../category-choice.tsx';
import type { Query } from '../page.ts';
import { comparedNight, type PriorPrice } from '../prior-price.ts';
import { lineNights } from '../product-table.tsx';

export interface PromotionSpell extends Spell, PriorPrice {
  readonly ended_on: string | null;
}

export interface PackSpell extends Spell {
  readonly pack_size: string;
  readonly pack_measure: string;
}

export interface PackChange {
  readonly snapshot_date: string;
  readonly old_size: string;
  readonly new_size: string;
  readonly unit: string;
  readonly unit_price_effect_pct: string | null;
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

const from = { name: 'valid_from', heading: 'From', as: 'date' } as const;
const to = { name: 'valid_to', heading: 'Until', as: 'date' } as const;

/** All queries of the product page. Charts cover the last `days` days. */
export function productQueries(region: RegionCode, id: string, days: number) {
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
    trail: trailOf(shelfOf(key), { caption: 'Its shelf', none: 'It is in no category.' }),
    shelf: {
      caption: 'Cheaper on the same shelf',
      sql: withLine(
        sql`
          select n.product_key, round(100 * (${bestUnit(sql`n`)} / ${bestUnit(sql`own`)} - 1), 1) as difference_pct
          from marts.product_now own
          join marts.product_category_now m on m.category_key = ${shelfOf(key)}
          join marts.product_now n on n.product_key = m.product_key
          where own.product_key = ${key} and n.unit_of_measure = own.unit_of_measure
            and ${bestUnit(sql`n`)} < ${bestUnit(sql`own`)} and n.availability = 'available'
          order by ${bestUnit(sql`n`)}, n.product_key
          limit 5`,
        region,
      ),
      columns: lineColumns,
    } as Query<ProductLine & { readonly difference_pct: string }>,
    lines: lineNights(region),
    nights: {
      caption: 'Certified nights of the charts',
      sql: sql`
        select snapshot_date, certificate
        from marts.snapshot
        where region = ${region} and ${isCertified}
          and snapshot_date >
            (select max(snapshot_date) from marts.snapshot where region = ${region}) - ${days}::int
        order by snapshot_date`,
      columns: [{ name: 'snapshot_date', heading: 'Night', as: 'date' }],
    } as Query<{ readonly snapshot_date: string }>,
    promotions: {
      caption: 'Promotions',
      sql: sql`
        select
          (f.seen_from at time zone region.time_zone)::date as valid_from,
          (f.seen_to at time zone region.time_zone)::date as valid_to,
          f.description, f.kind, f.loyalty_price, f.depth_pct, f.prior_30_day_price, f.starts_at, f.ends_at, f.currency,
          f.effective_quantity, f.effective_price, c.ended_on, c.stated_percent, c.real_pct, c.verdict_label,
          c.shelf_price, c.reduced_price, c.reference_price, c.prior_price, c.compared_price, c.prior_nights_known,
          c.prior_nights_needed, c.prior_price_check, c.prior_price_reason, c.announced_pct, c.basis, c.began_on,
          c.series_began_on, not ${isRunning(region)} as has_ended, n.unit_of_measure, before.compared_on
        from marts.fct_promotion f
        left join (
          select * from marts.fct_promotion_check where region = ${region} and product_id = ${id}
        ) as c on c.promotion_key = f.promotion_key and c.seen_from = f.seen_from
        cross join lateral (${comparedNight}
        ) as before
        join marts.dim_region region on region.region = f.region
        join marts.product_now n on n.product_key = ${key}
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
    } as Query<PackSpell>,
    changes: {
      caption: 'Changes of the pack in the last year',
      sql: packChanges.sql(
        { region, since: sql`${lastCertified(region)} - 365`, smaller: false, larger: false, sort: 'newest' },
        { limit: null, among: key },
      ),
      columns: packChanges.columns,
      none: 'The pack has not changed.',
    } as Query<PackChange>,
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
    } as Query,
    match: matchQuery(region, id),
  };
}

export const isListed = ({ availability }: AvailabilitySpell) =>
  availability === 'available' || availability === 'unavailable';

/** What a unit costs those who pay least. */
const bestUnit = (of: Sql) =>
  sql`(${of}.unit_price * least(${of}.loyalty_price, ${of}.price) / nullif(${of}.price, 0))`;

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
  };
}

import type { z } from 'zod';
import type { RegionCode } from '../../base/model/index.ts';
import { firstDerived } from '../../questions/certified.ts';
import { promotions as asked, orders } from '../../questions/promotions.ts';
import { columnsOf } from '../../questions/question.ts';
import { PageRows, type Sql, sql } from '../../questions/sql.ts';
import type { Query } from '../page.ts';
import { type PriorPrice, priorPriceNight } from '../prior-price.ts';

const rowsOfPage = 50;

interface CheckedPromotion extends PriorPrice {
  readonly region: string;
  readonly product_id: string;
  readonly title: string;
  readonly ended_on: string | null;
  /** Current availability of the product. */
  readonly availability: string;
  readonly announced_pct: string | null;
  readonly real_pct: string | null;
  readonly usual_price_check: string | null;
}

interface Which {
  readonly region: RegionCode;
  readonly last: Sql;
  readonly nights: number;
  /** Null: all products. */
  readonly products: Sql | null;
}

/** Condition: first seen on one of the requested nights. */
function began({ region, last, nights }: Which): Sql {
  return sql`region = ${region} and snapshot_date between ${last} - ${nights - 1}::int and ${last}`;
}

/** Source of the counts: the daily counts, or single promotions if the products are restricted. */
function counts({ products }: Which): Sql {
  return products === null
    ? sql`marts.fct_promotion_check_daily`
    : sql`(
        select *, 1 as promotions
        from marts.fct_promotion_check join ${products} as chosen using (product_key)
      ) as one`;
}

type Filters = z.output<typeof asked.parameters>;

/** Single promotions with their announced and real reduction. */
export function checked(
  which: Which & Pick<Filters, 'check' | 'running' | 'sort'> & { readonly page: number },
): Query<CheckedPromotion> {
  const { region, last, nights, check, running, sort, page } = which;
  const one = asked.sql(
    { region, since: sql`${last} - ${nights - 1}::int`, until: last, check, running, sort },
    { limit: new PageRows(rowsOfPage), offset: (page - 1) * rowsOfPage, among: which.products, isShort: true },
  );
  return {
    caption: 'Promotions that began',
    sql: sql`
      with c as materialized (${one}
      )
      select c.*, prior.prior_price_on
      from c
      cross join lateral (${priorPriceNight}
      ) as prior
      order by ${orders[sort]}`,
    columns: columnsOf(
      asked,
      ...['title', 'description', 'snapshot_date', 'ended_on', 'prior_price_check', 'shelf_price', 'reduced_price'],
      ...['reference_price', 'announced_pct', 'prior_price', 'real_pct', 'prior_nights_known', 'usual_price_check'],
      ...['unit_price', 'unit_of_measure'],
    ),
    none: 'No matching promotion began on these nights.',
  };
}

/** First night with data, and the first date on which a promotion can pass the check. */
export function reach({ region, last, nights }: Pick<Which, 'region' | 'last' | 'nights'>): Query<{
  readonly begins_on: string | null;
  readonly pass_from: string | null;
  readonly is_short: boolean | null;
}> {
  return {
    caption: 'First date on which a promotion can pass',
    sql: sql`
      select
        first.night as begins_on, first.night + 30 as pass_from,
        first.night + 30 > ${last} - ${nights - 1}::int as is_short
      from (select ${firstDerived(region)} as night) as first`,
    columns: [
      { name: 'begins_on', heading: 'Data begin on', as: 'date' },
      { name: 'pass_from', heading: 'A promotion can pass from', as: 'date' },
    ],
  };
}

/** Number of promotions by verdict. */
export function verdicts(which: Which): Query<{
  readonly prior_price_check: string | null;
  readonly prior_price_reason: string | null;
  readonly promotions: string;
}> {
  return {
    caption: 'Verdicts on the prior price',
    sql: sql`
      select prior_price_check, prior_price_reason, sum(promotions) as promotions
      from ${counts(which)}
      where ${began(which)}
      group by prior_price_check, prior_price_reason
      order by promotions desc, prior_price_check, prior_price_reason`,
    columns: [
      { name: 'prior_price_check', heading: 'Prior price' },
      { name: 'promotions', heading: 'Promotions', as: 'number' },
    ],
  };
}

/** Number of promotions by announced depth. */
export function depths(which: Which): Query<{ readonly depth_from: number | null }> {
  return {
    caption: 'Announced depth',
    sql: sql`
      select
        depth_from, sum(promotions) as promotions,
        coalesce(sum(promotions) filter (where prior_price_check = 'fail'), 0) as fail
      from ${counts(which)}
      where ${began(which)}
      group by depth_from
      order by depth_from nulls last`,
    columns: [
      { name: 'depth_from', heading: 'Below the reference price' },
      { name: 'promotions', heading: 'Promotions', as: 'number' },
      { name: 'fail', heading: 'Of these, prior price fails', as: 'number' },
    ],
  };
}

/** Share on promotion on the last certified night, by department or by child of a category. */
export function onPromotion({
  region,
  last,
  category,
}: {
  region: RegionCode;
  last: Sql;
  category: number | undefined;
}): Query<{
  readonly category_key: number;
  readonly path: string;
}> {
  return {
    caption: 'On promotion on the last certified night',
    sql: sql`
      select
        d.snapshot_date, d.category_key, d.path, d.products_listed, d.products_on_promotion,
        d.products_with_loyalty_price,
        round(100.0 * d.products_on_promotion / nullif(d.products_listed, 0), 2) as share_on_promotion_pct,
        d.average_loyalty_discount_pct
      from marts.dim_category c
      join marts.fct_category_daily d on d.region = c.region and d.category_key = c.category_key
      where c.region = ${region} and d.snapshot_date = ${last} and d.products_listed > 0
        and ${
          category === undefined ? sql`c.depth = 0` : sql`(c.parent_key = ${category} or c.category_key = ${category})`
        }
      order by d.depth, d.path
      limit 200`,
    columns: [
      { name: 'path', heading: 'Category' },
      { name: 'products_listed', heading: 'Listed', as: 'number' },
      { name: 'products_on_promotion', heading: 'On promotion', as: 'number' },
      { name: 'share_on_promotion_pct', heading: 'Share, %', as: 'number' },
      { name: 'products_with_loyalty_price', heading: 'With a price for members', as: 'number' },
      { name: 'average_loyalty_discount_pct', heading: 'Average discount for members, %', as: 'number' },
    ],
    none: 'There are no figures for that night.',
  };
}

interface Week {
  readonly week_starts_on: string;
  readonly share_on_promotion_pct: string | null;
  readonly share_with_loyalty_price_pct: string | null;
}

/** The last 53 weeks. */
export function calendar({ region, category }: { region: RegionCode; category: number | undefined }): Query<Week> {
  return {
    caption: 'Share of time on promotion, by week',
    sql: sql`
      select
        week_starts_on, nights, product_nights, promoted_product_nights, share_on_promotion_pct,
        share_with_loyalty_price_pct, average_loyalty_discount_pct
      from marts.fct_promotion_calendar
      where region = ${region}
        and ${category === undefined ? sql`category_key is null` : sql`category_key = ${category}`}
      order by week_starts_on desc
      limit 53`,
    columns: [
      { name: 'week_starts_on', heading: 'Week from', as: 'date' },
      { name: 'nights', heading: 'Nights', as: 'number' },
      { name: 'product_nights', heading: 'Product nights', as: 'number' },
      { name: 'share_on_promotion_pct', heading: 'On promotion, %', as: 'number' },
      { name: 'share_with_loyalty_price_pct', heading: 'With a price for members, %', as: 'number' },
      { name: 'average_loyalty_discount_pct', heading: 'Average discount for members, %', as: 'number' },
    ],
    none: 'There is no week with certified nights.',
  };
}

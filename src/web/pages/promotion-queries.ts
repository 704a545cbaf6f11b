import type { z } from 'zod';
import type { RegionCode } from '../../base/model/index.ts';
import { firstDerived } from '../../questions/certified.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { promotions as asked, isRunning, orders } from '../../questions/promotions.ts';
import type { Part } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import type { Query } from '../page.ts';
import { comparedNight, type PriorPrice } from '../prior-price.ts';

export interface CheckedPromotion extends ProductLine, Omit<PriorPrice, 'currency' | 'unit_of_measure'> {
  readonly snapshot_date: string;
  readonly ended_on: string | null;
}

/** A running offer of a short list. */
export interface RunningPromotion extends CheckedPromotion {
  /** Number of running offers with its verdict. */
  readonly alike: number;
}

/** Offers that began in a week with a verdict. */
export interface Counted {
  readonly week_starts_on: string;
  readonly verdict_label: string | null;
  /** Whether all 30 nights before are known: only then can an offer be real. */
  readonly has_all_nights: boolean;
  readonly promotions: number | string;
}

/** Days that can be asked for. */
export const mostNights = 92;

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
        select *, 1 as promotions, coalesce(prior_nights_known >= 30, false) as has_all_nights
        from marts.fct_promotion_check join ${products} as chosen using (product_key)
      ) as one`;
}

type Filters = z.output<typeof asked.parameters>;

/** What a list shows of promotions `c` of fct_promotion_check, in an order of their `place`. */
const shown = (promotions: Sql, region: RegionCode, more: Sql = sql``): Sql =>
  withLine(
    sql`
          select
            c.product_key, c.description, c.snapshot_date, c.ended_on, c.shelf_price, c.reduced_price,
            c.reference_price, c.announced_pct, c.stated_percent, c.prior_price, c.compared_price, c.real_pct,
            c.verdict_label, c.prior_price_check, c.prior_price_reason, c.prior_nights_known, c.prior_nights_needed,
            c.basis, c.usual_price_check, c.began_on, c.series_began_on, not ${isRunning(region)} as has_ended,
            before.compared_on${more}
          from (${promotions}
          ) as c
          cross join lateral (${comparedNight}
          ) as before
          order by c.place`,
    region,
  );

/** Single promotions with their claimed and real reduction. */
export function checked(
  which: Which & Pick<Filters, 'verdict' | 'running' | 'sort'> & { readonly part: Part },
): Query<CheckedPromotion> {
  const { region, last, nights, verdict, running, sort } = which;
  const one = asked.sql(
    { region, since: sql`${last} - ${nights - 1}::int`, until: last, verdict, running, sort },
    { ...which.part, among: which.products },
  );
  return {
    caption: 'All offers that began',
    sql: shown(
      sql`select *, row_number() over (order by ${orders[sort]}) as place from (${one}) as one`,
      region,
      sql`, c.effective_quantity, c.effective_price, c.prior_30_day_price`,
    ),
    columns: lineColumns,
    none: 'No matching offer began on these nights.',
  };
}

/** The first running promotions of each verdict, by what they save or by what they say too much. */
export function running(which: Which & { readonly each: number }): Query<RunningPromotion> {
  const { region, products, each } = which;
  return {
    caption: 'Running offers by verdict',
    sql: shown(
      sql`
            select begun.alike, begun.place, c.*
            from (
              select
                product_key, promotion_key, seen_from, count(*) over (partition by verdict_label)::int as alike,
                row_number() over (partition by verdict_label order by
                  case verdict_label when 'real' then real_pct else stated_percent - real_pct end desc nulls last,
                  product_key, promotion_key) as place
              from marts.fct_promotion_check${
                products === null ? sql`` : sql` join ${products} as chosen using (product_key)`
              }
              where ${began(which)} and ${isRunning(region)}
            ) as begun
            join marts.fct_promotion_check c using (product_key, promotion_key, seen_from)
            where begun.place <= ${each}`,
      region,
      sql`, c.alike`,
    ),
    columns: lineColumns,
    none: 'No running offer can be judged.',
  };
}

/** First night with data, and the first date on which a promotion can pass the check. */
export function reach({ region, last, nights }: Pick<Which, 'region' | 'last' | 'nights'>): Query<{
  readonly begins_on: string | null;
  readonly pass_from: string | null;
  readonly is_short: boolean | null;
  /** Whether offers began earlier, within the most days that can be asked for. */
  readonly has_earlier: boolean;
}> {
  return {
    caption: 'First date on which a promotion can pass',
    sql: sql`
      select
        first.night as begins_on, first.night + 30 as pass_from,
        first.night + 30 > ${last} - ${nights - 1}::int as is_short,
        exists (
          select from marts.fct_promotion_check_daily
          where region = ${region} and snapshot_date > ${last} - ${mostNights}::int
            and snapshot_date <= ${last} - ${nights}::int) as has_earlier
      from (select ${firstDerived(region)} as night) as first`,
    columns: [
      { name: 'begins_on', heading: 'Data begin on', as: 'date' },
      { name: 'pass_from', heading: 'A promotion can pass from', as: 'date' },
    ],
  };
}

/** Number of promotions by verdict and seven nights, the last of which end with the last certified night. */
export function verdicts(which: Which): Query<Counted> {
  const { last } = which;
  return {
    caption: 'Verdicts by week',
    sql: sql`
      select
        ${last} - 6 - 7 * ((${last} - snapshot_date) / 7) as week_starts_on, verdict_label, has_all_nights,
        sum(promotions) as promotions
      from ${counts(which)}
      where ${began(which)}
      group by week_starts_on, verdict_label, has_all_nights
      order by week_starts_on, verdict_label, has_all_nights`,
    columns: [
      { name: 'week_starts_on', heading: 'Week from', as: 'date' },
      { name: 'verdict_label', heading: 'Verdict' },
      { name: 'has_all_nights', heading: 'All nights before are known' },
      { name: 'promotions', heading: 'Offers', as: 'number' },
    ],
  };
}

/** Number of promotions by announced depth. */
export function depths(which: Which): Query<{ readonly depth_from: number | null }> {
  return {
    caption: 'Announced saving',
    sql: sql`
      select
        depth_from, sum(promotions) as promotions,
        coalesce(sum(promotions) filter (where verdict_label in ('overstated', 'no reduction')), 0) as fail
      from ${counts(which)}
      where ${began(which)}
      group by depth_from
      order by depth_from nulls last`,
    columns: [
      { name: 'depth_from', heading: 'Announced saving' },
      { name: 'promotions', heading: 'Offers', as: 'number' },
      { name: 'fail', heading: 'Not what they say', as: 'number' },
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
  readonly share_on_promotion_pct: string;
}> {
  return {
    caption: 'On offer on the last complete night',
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
      { name: 'products_on_promotion', heading: 'On offer', as: 'number' },
      { name: 'share_on_promotion_pct', heading: 'Share', as: 'number' },
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

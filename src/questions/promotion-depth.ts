import { firstDerived } from './certified.ts';
import { fields } from './columns.ts';
import { categoryAbout, dateAbout, RegionParameter, within } from './parameters.ts';
import { fairVerdict } from './promotions.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

export const promotionDepth = defineQuestion({
  name: 'promotion-depth',
  about: 'how much is on promotion, how deep, and how much of it is real, by week',
  parameters: {
    region: RegionParameter,
    since: dateAbout('weeks that begin on it or later (default: all)'),
    until: dateAbout('weeks that begin by it (default: all)'),
    category: categoryAbout('only this category (default: the whole region)'),
  },
  columns: [
    { name: 'week_starts_on', heading: 'Week from', as: 'date' },
    { name: 'category_path', heading: 'Category' },
    ...fields('nights', 'product_nights'),
    { name: 'share_on_promotion_pct', heading: 'On offer, %', as: 'decimal', decimals: 1 },
    { name: 'share_with_loyalty_price_pct', heading: 'For members, %', as: 'decimal', decimals: 1 },
    { name: 'average_loyalty_discount_pct', heading: 'Members save, %', as: 'decimal', decimals: 1 },
    { name: 'promotions_begun', heading: 'Offers begun', as: 'number' },
    { name: 'promotions_checkable', heading: 'Checkable', as: 'number' },
    { name: 'real_reductions_pct', heading: 'Real, %', as: 'decimal', decimals: 1, or: 'real_reductions_reason' },
    { name: 'real_reductions_reason' },
  ],
  table: () => [
    ...(['week_starts_on', 'nights', 'category_path', 'share_on_promotion_pct'] as const),
    ...(['share_with_loyalty_price_pct', 'average_loyalty_discount_pct', 'promotions_begun'] as const),
    ...(['promotions_checkable', 'real_reductions_pct'] as const),
  ],
  key: ['week_starts_on', 'category_path'],
  isWhole: true,
  isDerived: true,
  // The verdicts are counted for whole regions only.
  rows: ({ region, since, until, categoryKeys }) => sql`
    select
      week_starts_on, path as category_path, nights, product_nights, share_on_promotion_pct,
      share_with_loyalty_price_pct, average_loyalty_discount_pct,
      case when category_key is null then promotions_begun end as promotions_begun,
      case when category_key is null then promotions_checkable end as promotions_checkable,
      case when category_key is null then real_reductions_pct end as real_reductions_pct,
      case when category_key is null and real_reductions_pct is null then reason end as real_reductions_reason
    from marts.fct_promotion_calendar
    left join (
      select date_trunc('week', snapshot_date::timestamp)::date as week_starts_on,
        sum(promotions)::int as promotions_begun,
        coalesce(sum(promotions) filter (where ${fairVerdict} is not null), 0)::int as promotions_checkable,
        round(100.0 * coalesce(sum(promotions) filter (where ${fairVerdict} = 'real'), 0)
          / nullif(sum(promotions) filter (where ${fairVerdict} is not null), 0), 2) as real_reductions_pct,
        min(coalesce(prior_price_reason, 'too_few_nights')) filter (
          where prior_price_reason = 'nights_missing' or verdict_label is not null) as reason
      from marts.fct_promotion_check_daily
      where ${allOf(
        // When those of the first night began is unknown.
        sql`region = ${region} and snapshot_date > ${firstDerived(region)}`,
        since && sql`snapshot_date >= ${since}`,
        until && sql`snapshot_date < ${until}::date + 7`,
        categoryKeys && sql`false`,
      )}
      group by 1
    ) as begun using (week_starts_on)
    where ${allOf(
      sql`region = ${region}`,
      categoryKeys ? sql`category_key = any (${categoryKeys}::int[])` : sql`category_key is null`,
      within(sql`week_starts_on`, { since, until }),
    )}`,
  order: () => sql`week_starts_on, path nulls first`,
  isInTime: true,
  none: () => 'No certified night lies in these weeks.',
});

import { lastOfBoth } from './certified.ts';
import { dateAbout } from './parameters.ts';
import { cut, defineQuestion } from './question.ts';
import { sql } from './sql.ts';

/** Days after a change within which the other region can follow. */
const lags = [0, 1, 3, 7, 14, 30];

export const passThrough = defineQuestion({
  parameters: {
    since: dateAbout('changes from this night on (default: the last three calendar months)'),
    until: dateAbout('changes up to this night (default: 30 days before the last)'),
  },
  columns: [
    { name: 'leader', heading: 'First change in' },
    { name: 'within_days', heading: 'Within days', as: 'number' },
    { name: 'price_changes', heading: 'Changes', as: 'number' },
    { name: 'followed_pct', heading: 'Followed in the other region, %', as: 'decimal', decimals: 2 },
    { name: 'median_pass_through', heading: 'Median pass-through', as: 'float', decimals: 2 },
  ],
  table: () => ['leader', 'within_days', 'price_changes', 'followed_pct', 'median_pass_through'],
  isWhole: true,
  isDerived: true,
  sql: ({ since, until }, part) => {
    const last = sql`${lastOfBoth()}::date`;
    const first = since ?? sql`(date_trunc('month', ${last}::timestamp) - interval '2 months')::date`;
    return sql`
    with step as materialized (
      select region, snapshot_date, product_key, new_price::float8 / old_price::float8 as ratio
      from marts.fct_price_step
      where snapshot_date >= ${first} and old_price > 0 and new_price > 0
    ), moved as materialized (
      select region, snapshot_date, ln(ratio) as move, uk_product_key as item
      from step join marts.region_match on uk_product_key = product_key
      union all
      select region, snapshot_date, ln(ratio), uk_product_key
      from step join marts.region_match on ie_product_key = product_key
    ), led as (
      -- The first change of the other region in the same direction follows it.
      select distinct on (one.region, one.item, one.snapshot_date)
        one.region, other.snapshot_date - one.snapshot_date as lag, other.move / one.move as share
      from moved one
      left join moved other
        on other.item = one.item and other.region <> one.region and sign(other.move) = sign(one.move)
        and other.snapshot_date between one.snapshot_date and one.snapshot_date + 30
      where one.snapshot_date <= least(${last} - 30, ${until ?? null}::date)
      order by one.region, one.item, one.snapshot_date, other.snapshot_date
    )
    select region as leader, within_days, count(*) as price_changes,
      round(100.0 * count(*) filter (where lag <= within_days) / count(*), 2) as followed_pct,
      (percentile_cont(0.5) within group (order by share) filter (where lag <= within_days))::float8
        as median_pass_through
    from led
    cross join unnest(${lags}::int[]) as within_days
    group by region, within_days
    order by region desc, within_days
    ${cut(part)}`;
  },
  none: () => 'No price of a matched product changed 30 days before the last night or earlier.',
});

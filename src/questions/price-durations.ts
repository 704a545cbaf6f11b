import { lastDerived } from './certified.ts';
import { categoryAbout, dateAbout, RegionParameter } from './parameters.ts';
import { productsOf, recentMonths } from './price-steps.ts';
import { cut, defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Ages in days at which survival is reported. */
const ages = [1, 7, 14, 21, 28, 56, 91, 182, 365];

export const priceDurations = defineQuestion({
  parameters: {
    region: RegionParameter,
    since: dateAbout('prices that began on this night or later (default: the last three calendar months)'),
    until: dateAbout('prices that began by this night (default: the last night)'),
    category: categoryAbout('only products in this category on the last night'),
  },
  columns: [
    { name: 'age_days', heading: 'Days', as: 'number' },
    { name: 'prices_at_risk', heading: 'Prices as old', as: 'number' },
    { name: 'ended', heading: 'Ended by then', as: 'number' },
    { name: 'censored_by_departure', heading: 'Product gone before', as: 'number' },
    { name: 'censored_by_end', heading: 'Still valid, younger', as: 'number' },
    { name: 'surviving_pct', heading: 'Last longer, %', as: 'decimal', decimals: 2 },
  ],
  table: () => [
    ...['age_days', 'prices_at_risk', 'ended', 'censored_by_departure', 'censored_by_end', 'surviving_pct'],
  ],
  isWhole: true,
  isDerived: true,
  // Kaplan-Meier: a price whose product leaves, or that is still valid, counts up to the age at which it was last seen.
  sql: ({ region, since, until, categoryKeys }, part) => {
    const last = lastDerived(region);
    return sql`
    with step as (
      select product_key, snapshot_date, old_price, new_price,
        lead(snapshot_date) over product as next_date, lead(new_price) over product as next_price
      from marts.fct_price_step
      where ${allOf(
        sql`region = ${region} and snapshot_date >= ${since ?? recentMonths(region)}`,
        productsOf(categoryKeys, last),
      )}
      window product as (partition by product_key order by snapshot_date)
    ), spell as (
      select coalesce(next_date, ${last}) - snapshot_date as days, next_price is not null as is_ended,
        next_date is not null and next_price is null as is_departed
      from step
      -- A price begins with a change: how long the first price of a product had been valid is unknown.
      where old_price is not null and new_price is not null and snapshot_date <= ${until ?? last}
    ), by_age as (
      select days, count(*) filter (where is_ended) as ended, count(*) filter (where is_departed) as departed,
        count(*) filter (where not is_ended and not is_departed) as open,
        sum(count(*)) over (order by days desc) as at_risk
      from spell
      group by days
    ), survival as (
      select *, case when bool_or(ended = at_risk) over so_far then 0
        else exp(sum(ln(1 - nullif(ended, at_risk)::float8 / at_risk)) over so_far) end as surviving
      from by_age
      window so_far as (order by days)
    )
    select age as age_days,
      (select count(*) from spell where days >= age) as prices_at_risk,
      coalesce(sum(ended), 0)::int as ended, coalesce(sum(departed), 0)::int as censored_by_departure,
      coalesce(sum(open), 0)::int as censored_by_end,
      round(100 * coalesce(min(surviving), 1)::numeric, 2) as surviving_pct
    from unnest(${ages}::int[]) as age
    left join survival on days <= age
    where age <= (select max(days) from spell)
    group by age
    order by age
    ${cut(part)}`;
  },
  none: () => 'No price began with a change between certified nights of that time.',
});

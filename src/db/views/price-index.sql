create view marts.price_index as
select
  kept.region,
  kept.shown_key as category_key,
  category.path as category_path,
  kept.period::text as period,
  kept.period_start,
  method.method,
  basis.price_basis,
  kept.base_start,
  said.value::numeric(24, 10) as value,
  (said.value * sqrt(kept.values[8 + basis.place]))::numeric(24, 4) as standard_error,
  said.matched_products,
  said.outliers,
  kept.arrivals,
  kept.departures,
  -- A look-up for each row, which is not made where the column is not asked for.
  (
    select figure.products_carried from derived.daily_figure figure
    where figure.region = kept.region and figure.category_key = kept.category_key
      and figure.snapshot_date >= kept.period_start and figure.snapshot_date < kept.period_start + days.of_period
    order by figure.snapshot_date desc limit 1
  ) as carried_products,
  (100 * (exp(kept.departure_logs / (kept.counts[9] - kept.arrivals + kept.departures)) - 1))::numeric(9, 4)
    as departure_effect_pct,
  kept.nights::integer as nights,
  kept.nights = days.of_period as is_complete,
  kept.base_nights = days.of_base as is_base_complete,
  (kept.period_start < reach.last_start or kept.period_start + days.of_period <= reach.through_date + 1)
    and (method.method <> 'geks_jevons' or kept.base_start < reach.window_start) as is_final,
  said.matched_share,
  said.matched_products < 10 or said.matched_share < 0.25 as is_thin,
  '1' as method_version,
  format('window %s %ss, %s, ratios 0.1 to 10, 60 nights carried', case kept.period when 'day' then 29 else 25 end,
    kept.period, case method.place when 4 then 'mean splice on published values' else 'chained' end) as options,
  change.change_seq,
  change.updated_at
from (
  -- Two branches, so that a filter on the category, including null, uses the table's key. The condition that separates
  -- them is below: inside a branch it would prevent look-ups by key from joins.
  select *, null::integer as shown_key, 0 as least_key, 0 as greatest_key from derived.price_index
  union all
  select *, category_key, 1, 2147483647 from derived.price_index
) as kept
left join catalog.category category on category.category_key = kept.shown_key
left join derived.night_change change on change.region = kept.region and change.snapshot_date = kept.derived_on
-- Periods that later nights can still change.
left join (
  select region, period, min(period_start) as window_start,
    max(period_start) as last_start, max(through_date) as through_date
  from derived.period_panel
  group by region, period
) as reach on reach.region = kept.region and reach.period = kept.period
cross join lateral (
  select
    (kept.period_start + ('1 ' || kept.period)::interval)::date - kept.period_start as of_period,
    (kept.base_start + ('1 ' || kept.period)::interval)::date - kept.base_start as of_base
) as days
-- With their positions in the arrays.
cross join (values ('jevons_chained', 0), ('geks_jevons', 4)) as method (method, place)
cross join (
  values ('shelf', 1), ('member', 2), ('shelf_adjusted', 3), ('member_adjusted', 4)
) as basis (price_basis, place)
cross join lateral (
  select
    kept.values[method.place + basis.place] as value,
    kept.counts[basis.place] as matched_products,
    kept.counts[4 + basis.place] as outliers,
    (kept.counts[basis.place]::numeric / nullif(kept.counts[8 + basis.place], 0))::numeric(9, 4) as matched_share
) as said
where kept.category_key between kept.least_key and kept.greatest_key;

select ops.describe('marts.price_index', $$
One row is a price index of a region or category in a period, by one method; docs/analyse/method.md has the formulas.
  Only certified nights count; a period without prices in a category has no row. Unweighted, because quantities sold are
  unknown. Written after each certified night; the current period is as of the last one.
category_key: Joins dim_category; null for the whole region.
category_path: Names from the top level down, joined with " > "; null for the whole region.
period: day (a certified night), week (from Monday) or month. A product's price in a period is the arithmetic mean of
  its nightly prices.
period_start: First day of the period.
method: geks_jevons, or jevons_chained for comparison.
price_basis: shelf: the price for everyone; member: the loyalty price if there is one, otherwise the price.
  shelf_adjusted and member_adjusted: the same for an equal content, with known pack changes and relaunches. Use the
  adjusted ones.
base_start: First day of the base period, in which the index is 100. A base later than the region's means that the
  category's series began or restarted then, because no earlier product was left to compare with.
value: The index, 100 in the base period; null if nothing can be compared.
standard_error: Of the value against the base period, in its points, if the products are a sample of those there could
  be. Null with fewer than two products. A change is clear beyond twice its error; docs/analyse/method.md has both.
matched_products: Products whose prices were compared with the linked period; in a base period, all with a price.
outliers: Products left out of the link because their price moved by more than a factor of ten.
arrivals: Products with a price in the period and none in the one before; null in the first period.
departures: Products with a price in the period before and none in this one; null in the first period.
carried_products: Products out of stock on the last night of the period, which count with the last price at which they
  were for sale. After 60 nights without stock a product counts as departed.
departure_effect_pct: What the last prices of departures leave in the shelf index, in percent, against their prices 91
  nights before, or the first since: negative where products were cleared. Divide jevons_chained by
  1 + departure_effect_pct / 100 of each row since, to leave them out; in geks_jevons it is the most that they leave.
  Null if no departure had a price then.
nights: Certified nights in the period so far.
is_complete: Whether every day of the period has a certified night.
is_base_complete: Whether every day of the base period has a certified night. If not, the level of the whole series
  rests on the nights there were.
is_final: Whether later nights leave the value as it is. GEKS values are revised until the base period has left the
  window; the others until the period is over. Only nights that are released, replayed or crawled again can change it.
matched_share: matched_products as a share of the products with a price in the period, from 0 to 1.
is_thin: Whether the value rests on fewer than 10 products or on less than a quarter of those with a price.
method_version: Version of the method, which rises when a formula, a parameter or the population changes.
options: The longest window, how values are linked, price ratios that are compared, nights that a price is carried.
change_seq: Change key of the data derived from the night: rises whenever it is written or changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed. It rises with every night of a period, and while
  the window can still revise the period.
$$);

-- Generated from build/lake; do not edit.
-- Computes marts.price_index over the views of this folder; run it again after new nights. The first statement
-- names the periods: remove those that you do not need. Days take by far the longest.
create or replace view lake.index_choice as
select period, periods_in_window
from (
  select 'day' as period, 29 as periods_in_window
  union all select 'week', 25
  union all select 'month', 25
) as periods
where period in ('day', 'week', 'month');

drop table if exists lake.index_period;
create table lake.index_period using parquet as
select region, period, period_start, nights, last_night, cast(periods_in_window as bigint) as window_size,
  row_number() over (partition by region, period order by period_start) as place,
  count(*) over (partition by region, period) as places
from (
  select night.region as region, p.period as period, p.periods_in_window as periods_in_window,
    case p.period when 'day' then night.snapshot_date when 'week' then cast(date_trunc('week', night.snapshot_date) as
      date)
      else cast(date_trunc('month', night.snapshot_date) as date) end as period_start, count(*) as nights,
        max(night.snapshot_date) as last_night
  from lake.night as night
  cross join lake.index_choice as p
  group by night.region, p.period, p.periods_in_window, case p.period when 'day' then night.snapshot_date when 'week'
    then cast(date_trunc('week', night.snapshot_date) as date)
      else cast(date_trunc('month', night.snapshot_date) as date) end
) as counted;

drop table if exists lake.index_panel;
create table lake.index_panel using parquet as
select mean.region as region, mean.period as period, p.place as place, p.window_size as window_size,
  mean.product_key as product_key, v.categories as categories,
  mean.shelf_mean as shelf_mean, mean.member_mean as member_mean,
  case when mean.shelf_mean > 0 then ln(mean.shelf_mean) end as shelf, case when mean.member_mean > 0 then
    ln(mean.member_mean) end as member
from (
  select o.region as region, p.period as period, case p.period when 'day' then o.snapshot_date when 'week' then
    cast(date_trunc('week', o.snapshot_date) as date)
      else cast(date_trunc('month', o.snapshot_date) as date) end as period_start,
    o.product_key as product_key, max(o.snapshot_date) as last_night,
    sum(o.cents) / cast(count(*) as double) as shelf_mean,
    sum(coalesce(o.loyalty_cents, o.cents)) / cast(count(*) as double) as member_mean
  from lake.offer as o
  cross join lake.index_choice as p
  where o.cents >= 0
  group by o.region, p.period, case p.period when 'day' then o.snapshot_date when 'week' then cast(date_trunc('week',
    o.snapshot_date) as date)
      else cast(date_trunc('month', o.snapshot_date) as date) end, o.product_key
) as mean
join lake.index_period as p on p.region = mean.region and p.period = mean.period and p.period_start = mean.period_start
join lake.product_spell as v
  on v.region = mean.region and v.product_key = mean.product_key and v.valid_from <= mean.last_night
  and v.valid_to > mean.last_night;

drop table if exists lake.index_pair;
create table lake.index_pair using parquet as
select later.region as region, later.period as period, earlier.place as since, later.place as until,
  earlier.categories as categories_before, later.categories as categories,
  count(*) as on_both,
  sum(case when abs(later.shelf - earlier.shelf) <= ln(10) + 1e-12 then 1 else 0 end) as shelf_matched,
  sum(case when abs(later.shelf - earlier.shelf) <= ln(10) + 1e-12 then later.shelf - earlier.shelf else 0 end) as
    shelf_moved,
  sum(later.shelf_mean) as shelf_total,
  sum(case when abs(later.member - earlier.member) <= ln(10) + 1e-12 then 1 else 0 end) as member_matched,
  sum(case when abs(later.member - earlier.member) <= ln(10) + 1e-12 then later.member - earlier.member else 0 end) as
    member_moved,
  sum(later.member_mean) as member_total
from lake.index_panel as earlier
join lake.index_panel as later
  on later.region = earlier.region and later.period = earlier.period and later.product_key = earlier.product_key
where later.place >= earlier.place and later.place - earlier.place < later.window_size
group by later.region, later.period, earlier.place, later.place, earlier.categories, later.categories;

drop table if exists lake.index_link;
create table lake.index_link using parquet as
select pair.region as region, pair.period as period, s.path as path, 'shelf' as basis, pair.since as since,
  pair.until as until, sum(pair.on_both) as on_both, sum(pair.shelf_matched) as matched,
  sum(pair.shelf_moved) / nullif(sum(pair.shelf_matched), 0) as move, sum(pair.shelf_total) as total
from (select * from lake.index_pair) as pair
join lake.category_set as s on s.categories = pair.categories
join lake.category_set as b on b.categories = pair.categories_before and b.path = s.path
group by pair.region, pair.period, s.path, pair.since, pair.until
union all
select pair.region as region, pair.period as period, s.path as path, 'member' as basis, pair.since as since,
  pair.until as until, sum(pair.on_both) as on_both, sum(pair.member_matched) as matched,
  sum(pair.member_moved) / nullif(sum(pair.member_matched), 0) as move, sum(pair.member_total) as total
from (select * from lake.index_pair) as pair
join lake.category_set as s on s.categories = pair.categories
join lake.category_set as b on b.categories = pair.categories_before and b.path = s.path
group by pair.region, pair.period, s.path, pair.since, pair.until;

drop table if exists lake.index_step;
create table lake.index_step using parquet as
select own.region as region, own.period as period, own.path as path, own.basis as basis, own.until as place, own.on_both
  as priced, own.total as total,
  latest.linked as linked, link.matched as matched, link.on_both - link.matched as outliers, link.move as move,
  row_number() over (partition by own.region, own.period, own.path, own.basis order by own.until) as row_no
from lake.index_link as own
left join (
  select region, period, path, basis, until, max(since) as linked
  from lake.index_link
  where since < until and matched > 0
  group by region, period, path, basis, until
) as latest on latest.region = own.region and latest.period = own.period and latest.path = own.path and latest.basis =
  own.basis and latest.until = own.until
left join lake.index_link as link on link.region = latest.region and link.period = latest.period and link.path =
  latest.path and link.basis = latest.basis and link.until = latest.until and link.since = latest.linked
where own.since = own.until;

drop table if exists lake.index_chain;
create table lake.index_chain using parquet as
select step.region as region, step.period as period, step.path as path, step.basis as basis, step.place as place,
  step.priced as priced, step.total as total,
  step.matched as matched, step.outliers as outliers, step.row_no as row_no, p.window_size as window_size,
  element_at(walked.chained, cast(step.row_no as int)) as chained, cast(element_at(walked.bases, cast(step.row_no as
    int)) as bigint) as base
from lake.index_step as step
join lake.index_period as p on p.region = step.region and p.period = step.period and p.place = step.place
join (
  select region, period, path, basis, aggregate(
      array_sort(collect_list(named_struct('place', row_no, 'start', cast(0 as double), 'steps', chain_steps))),
      cast(array() as array<double>),
      (seen, row) -> concat(seen, array(case when size(row.steps) = 0 then row.start
        else aggregate(row.steps, cast(0 as double),
          (sum, step) -> sum + element_at(seen, cast(step.source as int)) + step.move) / size(row.steps) end))) as
            chained,
    aggregate(
      array_sort(collect_list(named_struct('place', row_no, 'start', cast(place as double), 'steps', base_steps))),
      cast(array() as array<double>),
      (seen, row) -> concat(seen, array(case when size(row.steps) = 0 then row.start
        else aggregate(row.steps, cast(0 as double),
          (sum, step) -> sum + element_at(seen, cast(step.source as int)) + step.move) / size(row.steps) end))) as bases
  from (
    select step.region as region, step.period as period, step.path as path, step.basis as basis, step.row_no as row_no,
      step.place as place,
      collect_list(case when linked.row_no is not null then named_struct('source', linked.row_no, 'move', step.move)
        end) as chain_steps,
      collect_list(case when linked.row_no is not null then named_struct('source', linked.row_no, 'move', cast(0 as
        double)) end) as base_steps
    from lake.index_step as step
    left join lake.index_step as linked on linked.region = step.region and linked.period = step.period and linked.path =
      step.path and linked.basis = step.basis and linked.place = step.linked
    group by step.region, step.period, step.path, step.basis, step.row_no, step.place
  ) as stepped
  group by region, period, path, basis
) as walked on walked.region = step.region and walked.period = step.period and walked.path = step.path and walked.basis
  = step.basis;

drop table if exists lake.index_jevons;
create table lake.index_jevons using parquet as
select region, period, path, basis, since as other, until as place, move from lake.index_link
where since < until and matched > 0
union all
select region, period, path, basis, until, since, -move from lake.index_link where since < until and matched > 0
union all
select region, period, path, basis, since, until, cast(0 as double) from lake.index_link where since = until;

drop table if exists lake.index_geks;
create table lake.index_geks using parquet as
select chain.region as region, chain.period as period, chain.path as path, chain.basis as basis, chain.place as place,
  element_at(walked.seen, cast(chain.row_no as int)) as geks
from lake.index_chain as chain
join (
  select region, period, path, basis, aggregate(
      array_sort(collect_list(named_struct('place', row_no, 'start', begun, 'steps', later_steps))),
      cast(array() as array<double>),
      (seen, row) -> concat(seen, array(case when size(row.steps) = 0 then row.start
        else aggregate(row.steps, cast(0 as double),
          (sum, step) -> sum + element_at(seen, cast(step.source as int)) + step.move) / size(row.steps) end))) as seen
  from (
    select region, period, path, basis, row_no, max(begun) as begun, collect_list(case when from_row is not null then
      named_struct('source', from_row, 'move', moved) end) as later_steps
    from (
      select c.region as region, c.period as period, c.path as path, c.basis as basis, c.row_no as row_no,
        nullif(c.row_no, c.row_no) as from_row, cast(0 as double) as moved,
        case when c.place = c.base then cast(0 as double) else avg(t.move - f.move) end as begun
      from lake.index_chain as c
      join lake.index_jevons as t on t.region = c.region and t.period = c.period and t.path = c.path and t.basis =
        c.basis and t.place = c.place
      join lake.index_jevons as f on f.region = c.region and f.period = c.period and f.path = c.path and f.basis =
        c.basis and f.place = c.base and f.other = t.other
      where c.place - c.base < c.window_size and t.other - c.base < c.window_size
      group by c.region, c.period, c.path, c.basis, c.row_no, c.place, c.base
      union all
      select c.region as region, c.period as period, c.path as path, c.basis as basis, c.row_no, s.row_no, avg(t.move -
        f.move), cast(0 as double)
      from lake.index_chain as c
      join lake.index_chain as s on s.region = c.region and s.period = c.period and s.path = c.path and s.basis =
        c.basis and s.base = c.base
      join lake.index_jevons as t on t.region = c.region and t.period = c.period and t.path = c.path and t.basis =
        c.basis and t.place = c.place
      join lake.index_jevons as f on f.region = s.region and f.period = s.period and f.path = s.path and f.basis =
        s.basis and f.place = s.place and f.other = t.other
      where c.place - c.base >= c.window_size and s.place < c.place and c.place - s.place < c.window_size
        and t.other <= c.place and c.place - t.other < c.window_size
      group by c.region, c.period, c.path, c.basis, c.row_no, s.row_no
    ) as moves
    group by region, period, path, basis, row_no
  ) as stepped
  group by region, period, path, basis
) as walked on walked.region = chain.region and walked.period = chain.period and walked.path = chain.path and
  walked.basis = chain.basis;

drop table if exists lake.index_fixed;
create table lake.index_fixed using parquet as
select region, period, path, basis, since, until, matched, move from lake.index_link
union all
select region, period, path, basis, since, until, matched, move
from (
select pair.region as region, pair.period as period, s.path as path, 'shelf' as basis, pair.since as since,
  pair.until as until, sum(pair.on_both) as on_both, sum(pair.shelf_matched) as matched,
  sum(pair.shelf_moved) / nullif(sum(pair.shelf_matched), 0) as move, sum(pair.shelf_total) as total
from (
select later.region as region, later.period as period, earlier.place as since, later.place as until,
  earlier.categories as categories_before, later.categories as categories,
  count(*) as on_both,
  sum(case when abs(later.shelf - earlier.shelf) <= ln(10) + 1e-12 then 1 else 0 end) as shelf_matched,
  sum(case when abs(later.shelf - earlier.shelf) <= ln(10) + 1e-12 then later.shelf - earlier.shelf else 0 end) as
    shelf_moved,
  sum(later.shelf_mean) as shelf_total,
  sum(case when abs(later.member - earlier.member) <= ln(10) + 1e-12 then 1 else 0 end) as member_matched,
  sum(case when abs(later.member - earlier.member) <= ln(10) + 1e-12 then later.member - earlier.member else 0 end) as
    member_moved,
  sum(later.member_mean) as member_total
from lake.index_panel as earlier
join lake.index_panel as later
  on later.region = earlier.region and later.period = earlier.period and later.product_key = earlier.product_key
join (
  select distinct region, period, base from lake.index_chain where place - base >= window_size
) as far on far.region = earlier.region and far.period = earlier.period and far.base = earlier.place
where later.place - earlier.place >= later.window_size
group by later.region, later.period, earlier.place, later.place, earlier.categories, later.categories) as pair
join lake.category_set as s on s.categories = pair.categories
join lake.category_set as b on b.categories = pair.categories_before and b.path = s.path
group by pair.region, pair.period, s.path, pair.since, pair.until
union all
select pair.region as region, pair.period as period, s.path as path, 'member' as basis, pair.since as since,
  pair.until as until, sum(pair.on_both) as on_both, sum(pair.member_matched) as matched,
  sum(pair.member_moved) / nullif(sum(pair.member_matched), 0) as move, sum(pair.member_total) as total
from (
select later.region as region, later.period as period, earlier.place as since, later.place as until,
  earlier.categories as categories_before, later.categories as categories,
  count(*) as on_both,
  sum(case when abs(later.shelf - earlier.shelf) <= ln(10) + 1e-12 then 1 else 0 end) as shelf_matched,
  sum(case when abs(later.shelf - earlier.shelf) <= ln(10) + 1e-12 then later.shelf - earlier.shelf else 0 end) as
    shelf_moved,
  sum(later.shelf_mean) as shelf_total,
  sum(case when abs(later.member - earlier.member) <= ln(10) + 1e-12 then 1 else 0 end) as member_matched,
  sum(case when abs(later.member - earlier.member) <= ln(10) + 1e-12 then later.member - earlier.member else 0 end) as
    member_moved,
  sum(later.member_mean) as member_total
from lake.index_panel as earlier
join lake.index_panel as later
  on later.region = earlier.region and later.period = earlier.period and later.product_key = earlier.product_key
join (
  select distinct region, period, base from lake.index_chain where place - base >= window_size
) as far on far.region = earlier.region and far.period = earlier.period and far.base = earlier.place
where later.place - earlier.place >= later.window_size
group by later.region, later.period, earlier.place, later.place, earlier.categories, later.categories) as pair
join lake.category_set as s on s.categories = pair.categories
join lake.category_set as b on b.categories = pair.categories_before and b.path = s.path
group by pair.region, pair.period, s.path, pair.since, pair.until
) as far;

create or replace view marts.price_index as
select chain.region as region, case when chain.path <> '' then chain.path end as category_path,
  chain.period as period, p.period_start as period_start, 'jevons_chained' as method, chain.basis as price_basis,
  b.period_start as base_start, 100 * exp(chain.chained) as value, case when chain.place = chain.base then chain.priced
    else coalesce(chain.matched, 0) end as matched_products,
  case when chain.place = chain.base then 0 else coalesce(chain.outliers, 0) end as outliers,
  case when chain.place > 1 then chain.priced - coalesce(previous.on_both, 0) end as arrivals,
  case when chain.place > 1 then coalesce(before.priced, 0) - coalesce(previous.on_both, 0) end as departures,
  p.nights as nights, p.nights = case p.period when 'day' then 1 when 'week' then 7 else
    dayofmonth(last_day(p.period_start)) end as is_complete,
  b.nights = case b.period when 'day' then 1 when 'week' then 7 else dayofmonth(last_day(b.period_start)) end as
    is_base_complete,
  (p.place < p.places or case p.period when 'day' then (p.last_night + interval 1 day) when 'week' then
    cast(date_trunc('week', (p.last_night + interval 1 day)) as date)
      else cast(date_trunc('month', (p.last_night + interval 1 day)) as date) end > p.period_start) as is_final,
  cast(cast(floor((20000 * (case when chain.place = chain.base then chain.priced else coalesce(chain.matched, 0) end) +
    chain.priced) / (2 * chain.priced)) as bigint) * cast('0.0001' as decimal(18, 4)) as decimal(18, 4)) as
      matched_share,
  case when chain.place = chain.base then chain.priced else coalesce(chain.matched, 0) end < 10 or (case when
    chain.place = chain.base then chain.priced else coalesce(chain.matched, 0) end) / cast(chain.priced as double) <
      0.25 as is_thin
from lake.index_chain as chain
join lake.index_period as p on p.region = chain.region and p.period = chain.period and p.place = chain.place
join lake.index_period as b on b.region = chain.region and b.period = chain.period and b.place = chain.base
left join lake.index_chain as before on before.region = chain.region and before.period = chain.period and before.path =
  chain.path and before.basis = chain.basis and before.place = chain.place - 1
left join lake.index_link as previous
  on previous.region = chain.region and previous.period = chain.period and previous.path = chain.path and previous.basis
    = chain.basis and previous.until = chain.place and previous.since = chain.place - 1

union all
select chain.region as region, case when chain.path <> '' then chain.path end as category_path,
  chain.period as period, p.period_start as period_start, 'jevons_fixed' as method, chain.basis as price_basis,
  b.period_start as base_start, 100 * case when chain.place = chain.base then 1 else exp(fixed.move) end as value, case
    when chain.place = chain.base then chain.priced else coalesce(fixed.matched, 0) end as matched_products,
  nullif(chain.place, chain.place) as outliers,
  case when chain.place > 1 then chain.priced - coalesce(previous.on_both, 0) end as arrivals,
  case when chain.place > 1 then coalesce(before.priced, 0) - coalesce(previous.on_both, 0) end as departures,
  p.nights as nights, p.nights = case p.period when 'day' then 1 when 'week' then 7 else
    dayofmonth(last_day(p.period_start)) end as is_complete,
  b.nights = case b.period when 'day' then 1 when 'week' then 7 else dayofmonth(last_day(b.period_start)) end as
    is_base_complete,
  (p.place < p.places or case p.period when 'day' then (p.last_night + interval 1 day) when 'week' then
    cast(date_trunc('week', (p.last_night + interval 1 day)) as date)
      else cast(date_trunc('month', (p.last_night + interval 1 day)) as date) end > p.period_start) as is_final,
  cast(cast(floor((20000 * (case when chain.place = chain.base then chain.priced else coalesce(fixed.matched, 0) end) +
    chain.priced) / (2 * chain.priced)) as bigint) * cast('0.0001' as decimal(18, 4)) as decimal(18, 4)) as
      matched_share,
  case when chain.place = chain.base then chain.priced else coalesce(fixed.matched, 0) end < 10 or (case when
    chain.place = chain.base then chain.priced else coalesce(fixed.matched, 0) end) / cast(chain.priced as double) <
      0.25 as is_thin
from lake.index_chain as chain
join lake.index_period as p on p.region = chain.region and p.period = chain.period and p.place = chain.place
join lake.index_period as b on b.region = chain.region and b.period = chain.period and b.place = chain.base
left join lake.index_chain as before on before.region = chain.region and before.period = chain.period and before.path =
  chain.path and before.basis = chain.basis and before.place = chain.place - 1
left join lake.index_link as previous
  on previous.region = chain.region and previous.period = chain.period and previous.path = chain.path and previous.basis
    = chain.basis and previous.until = chain.place and previous.since = chain.place - 1
left join lake.index_fixed as fixed
  on fixed.region = chain.region and fixed.period = chain.period and fixed.path = chain.path and fixed.basis =
    chain.basis and fixed.until = chain.place and fixed.since = chain.base
union all
select chain.region as region, case when chain.path <> '' then chain.path end as category_path,
  chain.period as period, p.period_start as period_start, 'geks_jevons' as method, chain.basis as price_basis,
  b.period_start as base_start, 100 * exp(geks.geks) as value, case when chain.place = chain.base then chain.priced else
    coalesce(chain.matched, 0) end as matched_products,
  case when chain.place = chain.base then 0 else coalesce(chain.outliers, 0) end as outliers,
  case when chain.place > 1 then chain.priced - coalesce(previous.on_both, 0) end as arrivals,
  case when chain.place > 1 then coalesce(before.priced, 0) - coalesce(previous.on_both, 0) end as departures,
  p.nights as nights, p.nights = case p.period when 'day' then 1 when 'week' then 7 else
    dayofmonth(last_day(p.period_start)) end as is_complete,
  b.nights = case b.period when 'day' then 1 when 'week' then 7 else dayofmonth(last_day(b.period_start)) end as
    is_base_complete,
  (p.place < p.places or case p.period when 'day' then (p.last_night + interval 1 day) when 'week' then
    cast(date_trunc('week', (p.last_night + interval 1 day)) as date)
      else cast(date_trunc('month', (p.last_night + interval 1 day)) as date) end > p.period_start) and chain.base <=
        p.places - p.window_size as is_final,
  cast(cast(floor((20000 * (case when chain.place = chain.base then chain.priced else coalesce(chain.matched, 0) end) +
    chain.priced) / (2 * chain.priced)) as bigint) * cast('0.0001' as decimal(18, 4)) as decimal(18, 4)) as
      matched_share,
  case when chain.place = chain.base then chain.priced else coalesce(chain.matched, 0) end < 10 or (case when
    chain.place = chain.base then chain.priced else coalesce(chain.matched, 0) end) / cast(chain.priced as double) <
      0.25 as is_thin
from lake.index_chain as chain
join lake.index_period as p on p.region = chain.region and p.period = chain.period and p.place = chain.place
join lake.index_period as b on b.region = chain.region and b.period = chain.period and b.place = chain.base
left join lake.index_chain as before on before.region = chain.region and before.period = chain.period and before.path =
  chain.path and before.basis = chain.basis and before.place = chain.place - 1
left join lake.index_link as previous
  on previous.region = chain.region and previous.period = chain.period and previous.path = chain.path and previous.basis
    = chain.basis and previous.until = chain.place and previous.since = chain.place - 1
left join lake.index_geks as geks on geks.region = chain.region and geks.period = chain.period and geks.path =
  chain.path and geks.basis = chain.basis and geks.place = chain.place
union all
select chain.region as region, case when chain.path <> '' then chain.path end as category_path,
  chain.period as period, p.period_start as period_start, 'mean_price' as method, chain.basis as price_basis,
  b.period_start as base_start, 100 * (chain.total / chain.priced) / (base.total / base.priced) as value, chain.priced
    as matched_products,
  nullif(chain.place, chain.place) as outliers,
  case when chain.place > 1 then chain.priced - coalesce(previous.on_both, 0) end as arrivals,
  case when chain.place > 1 then coalesce(before.priced, 0) - coalesce(previous.on_both, 0) end as departures,
  p.nights as nights, p.nights = case p.period when 'day' then 1 when 'week' then 7 else
    dayofmonth(last_day(p.period_start)) end as is_complete,
  b.nights = case b.period when 'day' then 1 when 'week' then 7 else dayofmonth(last_day(b.period_start)) end as
    is_base_complete,
  (p.place < p.places or case p.period when 'day' then (p.last_night + interval 1 day) when 'week' then
    cast(date_trunc('week', (p.last_night + interval 1 day)) as date)
      else cast(date_trunc('month', (p.last_night + interval 1 day)) as date) end > p.period_start) as is_final,
  cast(cast(floor((20000 * (chain.priced) + chain.priced) / (2 * chain.priced)) as bigint) * cast('0.0001' as
    decimal(18, 4)) as decimal(18, 4)) as matched_share,
  chain.priced < 10 or (chain.priced) / cast(chain.priced as double) < 0.25 as is_thin
from lake.index_chain as chain
join lake.index_period as p on p.region = chain.region and p.period = chain.period and p.place = chain.place
join lake.index_period as b on b.region = chain.region and b.period = chain.period and b.place = chain.base
left join lake.index_chain as before on before.region = chain.region and before.period = chain.period and before.path =
  chain.path and before.basis = chain.basis and before.place = chain.place - 1
left join lake.index_link as previous
  on previous.region = chain.region and previous.period = chain.period and previous.path = chain.path and previous.basis
    = chain.basis and previous.until = chain.place and previous.since = chain.place - 1
join lake.index_chain as base on base.region = chain.region and base.period = chain.period and base.path = chain.path
  and base.basis = chain.basis and base.place = chain.base;

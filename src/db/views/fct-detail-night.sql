create view marts.fct_detail_night as
with counted as (
  select
    r.region,
    r.snapshot_date,
    r.run_id,
    r.observed_at,
    coalesce(sum(y.visits) filter (where y.reason not in ('missing', 'delist')), 0) as asked,
    coalesce(sum(y.changes) filter (where y.reason not in ('missing', 'delist')), 0) as changed,
    coalesce(sum(y.visits) filter (where y.reason = 'audit'), 0) as audited,
    coalesce(sum(y.changes) filter (where y.reason = 'audit'), 0) as audited_changed,
    case when bool_or(y.reason = 'audit') then coalesce(f.details_left_out, 0) else 0 end as left_out
  from ops.run r
  join ops.run_forecast f using (run_id)
  left join ops.detail_yield y using (run_id)
  where r.status = 'published'
  group by r.run_id, f.details_left_out
), summed as (
  select
    counted.*,
    sum(asked) over nights as asked_30,
    sum(changed - audited_changed) over nights as found_30,
    sum(audited) over nights as audited_30,
    sum(audited_changed) over nights as audited_changed_30,
    sum(left_out) over nights as left_out_30
  from counted
  window nights as (partition by region order by observed_at rows 29 preceding)
), wilson as (
  -- Wilson (1927), 95 %: the square of 1.959964 is 3.841459.
  select
    summed.*,
    audited_changed_30::float8 / nullif(audited_30, 0) as stale,
    (audited_changed_30 + 3.841458820694124 / 2) / nullif(audited_30 + 3.841458820694124, 0) as centre,
    sqrt(3.841458820694124 * (audited_changed_30 * (audited_30 - audited_changed_30) / nullif(audited_30, 0)::float8 + 3.841458820694124 / 4))
      / nullif(audited_30 + 3.841458820694124, 0) as half
  from summed
), estimated as (
  select
    wilson.*,
    case when audited_changed_30 = 0 then 0 else centre - half end * left_out_30 as missed_low,
    stale * left_out_30 as missed,
    case when audited_changed_30 = audited_30 then 1 else centre + half end * left_out_30 as missed_high
  from wilson
)
select distinct on (region, snapshot_date)
  region,
  snapshot_date,
  run_id,
  asked::int as details_asked,
  changed::int as details_changed,
  left_out::int as details_left_out,
  audited_30::int as audited,
  audited_changed_30::int as audited_changed,
  case when audited_30 > 0 then round((100 * coalesce(missed / nullif(missed + found_30, 0), 0))::numeric, 2) end as missed_share_pct,
  case when audited_30 > 0 then round((100 * coalesce(missed_low / nullif(missed_low + found_30, 0), 0))::numeric, 2) end as missed_share_low_pct,
  case when audited_30 > 0 then round((100 * coalesce(missed_high / nullif(missed_high + found_30, 0), 0))::numeric, 2) end as missed_share_high_pct
from estimated
order by region, snapshot_date, run_id desc;

comment on view marts.fct_detail_night is 'One row is a region-night: the product details it asked for, and what share of the detail changes the plan misses, estimated from products drawn by chance among those it left out.';
comment on column marts.fct_detail_night.region is 'uk or ie.';
comment on column marts.fct_detail_night.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.fct_detail_night.run_id is 'The run that is the night.';
comment on column marts.fct_detail_night.details_asked is 'Products whose own page answered, those drawn by chance included.';
comment on column marts.fct_detail_night.details_changed is 'Of them, those known before whose details had changed.';
comment on column marts.fct_detail_night.details_left_out is 'Products with known details that the plan left out, before some of them were drawn by chance; 0 where none was drawn.';
comment on column marts.fct_detail_night.audited is 'Products drawn by chance that answered in the last 30 runs up to this one.';
comment on column marts.fct_detail_night.audited_changed is 'Of them, those whose details had changed.';
comment on column marts.fct_detail_night.missed_share_pct is 'Estimated share of the detail changes of those 30 runs that the plan missed: those among what it left out, of these and the ones it found. Null while nothing was drawn by chance.';
comment on column marts.fct_detail_night.missed_share_low_pct is 'Lower end of the 95 % interval (Wilson) of missed_share_pct.';
comment on column marts.fct_detail_night.missed_share_high_pct is 'Upper end of the 95 % interval (Wilson) of missed_share_pct.';

create view marts.store_refresh as
select
  refresh_id,
  observed_at,
  verdict::text as certificate,
  array_to_string(reasons, '; ') as reasons,
  areas,
  circles,
  stores_seen,
  stores_new,
  stores_changed,
  stores_gone,
  distance_per_mile,
  started_at,
  finished_at
from ops.store_refresh
where status = 'published';

comment on view marts.store_refresh is 'One row is a refresh of the stores: one search of the areas with the store locator.';
comment on column marts.store_refresh.refresh_id is 'Key.';
comment on column marts.store_refresh.observed_at is 'The instant what it saw is dated with.';
comment on column marts.store_refresh.certificate is 'complete: every answer was whole, so stores that were not found are gone; partial: no store is reported as gone.';
comment on column marts.store_refresh.reasons is 'Why it is partial; empty where it is not.';
comment on column marts.store_refresh.areas is 'Boxes of south,west,north,east in degrees, separated by ";".';
comment on column marts.store_refresh.circles is 'Questions it took, retries aside.';
comment on column marts.store_refresh.stores_seen is 'Distinct stores found.';
comment on column marts.store_refresh.stores_new is 'Of them, those never seen before.';
comment on column marts.store_refresh.stores_changed is 'Of them, those that were otherwise before, or gone.';
comment on column marts.store_refresh.stores_gone is 'Stores that were there before and are not any more.';
comment on column marts.store_refresh.distance_per_mile is 'Distances in the answers divided by miles between the coordinates, the median: 1 where the locator measures in miles.';
comment on column marts.store_refresh.started_at is 'When it was opened.';
comment on column marts.store_refresh.finished_at is 'When it was published.';

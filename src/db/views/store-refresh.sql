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

comment on view marts.store_refresh is
  'One row is a refresh of the stores: one search of the areas with the store locator.';
comment on column marts.store_refresh.refresh_id is 'Key of the refresh.';
comment on column marts.store_refresh.observed_at is 'The single instant that dates all values of the refresh.';
comment on column marts.store_refresh.certificate is
  'complete: every answer was complete, so stores that were not found are gone; partial: no store is reported as gone.';
comment on column marts.store_refresh.reasons is 'Reasons why it is partial; empty if it is complete.';
comment on column marts.store_refresh.areas is 'Boxes of south,west,north,east in degrees, separated by ";".';
comment on column marts.store_refresh.circles is 'Requests needed, without retries.';
comment on column marts.store_refresh.stores_seen is 'Distinct stores found.';
comment on column marts.store_refresh.stores_new is 'Stores never seen before.';
comment on column marts.store_refresh.stores_changed is 'Stores that changed or reappeared.';
comment on column marts.store_refresh.stores_gone is 'Stores that are gone since the previous refresh.';
comment on column marts.store_refresh.distance_per_mile is
  'Median ratio of distances in the answers to miles between the coordinates: 1 if the locator measures in miles.';
comment on column marts.store_refresh.started_at is 'When it was opened.';
comment on column marts.store_refresh.finished_at is 'When it was published.';

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

select ops.describe('marts.store_refresh', $$
One row is a refresh of the stores: one search of the areas with the store locator.
refresh_id: Key of the refresh.
observed_at: The single instant that dates all values of the refresh.
certificate: complete: every answer was complete, so stores that were not found are gone; partial: no store is reported
  as gone.
reasons: Reasons why it is partial; empty if it is complete.
areas: Boxes of south,west,north,east in degrees, separated by ";".
circles: Requests needed, without retries.
stores_seen: Distinct stores found.
stores_new: Stores never seen before.
stores_changed: Stores that changed or reappeared.
stores_gone: Stores that are gone since the previous refresh.
distance_per_mile: Median ratio of distances in the answers to miles between the coordinates: 1 if the locator measures
  in miles.
started_at: When it was opened.
finished_at: When it was published.
$$);

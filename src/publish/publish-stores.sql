-- Merges the stores that a run has found into the catalogue. The table `refresh` has one row: the run, its instant, the
-- boxes of its areas, and whether its answers are complete, so that stores may be gone.

-- 1. Found: with the version that the catalogue has then. A store that was gone and is back is another version.
create temporary table found_store on commit drop as
select s.store_id, known.store_id is null as is_new,
  known.gone_at is not null or known.record_hash is distinct from (s.record ->> 'record_hash')::uuid as is_other,
  s.record || jsonb_build_object('store_id', s.store_id, 'valid_from', refresh.observed_at,
    'first_seen_at', coalesce(known.first_seen_at, refresh.observed_at)) as version
from refresh join stage.store s using (run_id)
left join catalog.store known on known.store_id = s.store_id;

-- 2. Expected: known stores within the searched areas. A store without coordinates counts if the last refresh had the
-- same areas.
create temporary table expected_store on commit drop as
select s.store_id, s.missed_since, f.store_id is null as is_missed
from refresh join ops.store_refresh searched using (run_id)
join catalog.store s on s.gone_at is null
left join found_store f on f.store_id = s.store_id
where refresh.is_complete
  and case when s.latitude is null or s.longitude is null
    then searched.areas = (
      select last.areas from ops.store_refresh last join ops.run using (run_id)
      where status = 'published' and run_id <> refresh.run_id order by run_id desc limit 1)
    else exists (
      select from jsonb_to_recordset(refresh.boxes) as a (south float8, west float8, north float8, east float8)
      where s.latitude between a.south and a.north and s.longitude between a.west and a.east)
  end;

-- If too many are missing at once, they are gone only when the next refresh misses them, too.
update refresh
set (missed, is_believed) = (
  select count(*) filter (where is_missed),
    count(*) filter (where is_missed and missed_since is null) <= greatest(5, 0.05 * count(*))
  from expected_store);
create temporary table gone_store on commit drop as
select m.store_id
from refresh cross join expected_store m
where m.is_missed and (refresh.is_believed or m.missed_since is not null);

-- 3. Catalogue.
delete from catalog.store s using found_store f where s.store_id = f.store_id and f.is_other;
insert into catalog.store
select present.*
from found_store f cross join lateral jsonb_populate_record(null::catalog.store, f.version) as present
where f.is_other
order by f.store_id;
update catalog.store s set missed_since = null
from found_store f
where s.store_id = f.store_id and s.missed_since is not null;
update catalog.store s set missed_since = refresh.observed_at
from refresh cross join expected_store m
where s.store_id = m.store_id and m.is_missed and m.missed_since is null and not refresh.is_believed;
update catalog.store s set gone_at = refresh.observed_at, missed_since = null
from refresh cross join gone_store g
where s.store_id = g.store_id;

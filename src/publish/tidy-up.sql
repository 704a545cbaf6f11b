-- After a publication: the staged rows of runs that are over, and the keys on pages of older nights. What a crash or an
-- error leaves is tidied up after the next night.

do $$
declare
  -- A held run may be released until a later one is published.
  over_runs int[] := array(
    select run_id from ops.run r
    where status in ('published', 'abandoned', 'expired') or status = 'held' and exists (
      select from ops.published_run later
      where later.region = r.region and later.observed_at > r.observed_at));
begin
  -- Truncation frees the space of a large stage at once; for a small one, deletion costs less than new files. Not
  -- within the publication, where a lock on whole tables would deadlock with that of another region.
  if pg_total_relation_size('stage.product') > 1024 * 1024 then
    begin
      lock table stage.product, stage.promotion, stage.detail, stage.category in access exclusive mode nowait;
      if not exists (select from ops.run where kind = 'night' and run_id <> all (over_runs)) then
        truncate stage.product, stage.promotion, stage.detail, stage.category;
      end if;
    exception when lock_not_available then null;
    end;
  end if;
  delete from stage.product where run_id = any (over_runs);
  delete from stage.promotion where run_id = any (over_runs);
  delete from stage.detail where run_id = any (over_runs);
  delete from stage.category where run_id = any (over_runs);
end $$;

-- The next nights read the keys of the last three; the catalogue has the history of older ones.
update ops.category_page
set seen_keys = null, extra_keys = null
where seen_keys is not null and run_id in (
  select run_id
  from (
    select run_id, row_number() over (partition by region order by run_id desc) as age from ops.published_run) as night
  where age between 4 and 11);

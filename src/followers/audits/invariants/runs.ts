import { isStopped } from '../../../crawl/ledger/run-stops.ts';
import type { Invariant } from './invariant.ts';

/** Runs and certificates: no false `complete`, no absence without a certificate. */
export const runInvariants: readonly Invariant[] = [
  {
    says: 'every published run has its certificate, and the same verdict in both places',
    sql: `select r.run_id, r.verdict, c.verdict as certificate
          from ops.published_run r left join ops.certificate c using (run_id)
          where c.verdict is distinct from r.verdict`,
  },
  {
    says: 'a complete run has no reason against it, every other one has',
    sql: `select run_id, r.verdict, reasons from ops.certificate join ops.published_run r using (run_id)
          where (r.verdict = 'complete') <> (cardinality(reasons) = 0 and released_because is null)`,
  },
  {
    says: 'a complete run has read every page it planned',
    sql: `select run_id, category_no, count(*) as unread from (
            select run_id, category_no, page_no from ops.category_page group by run_id, category_no, page_no
              having not bool_or(status = 'done')) as p
          join ops.run using (run_id) join ops.category_crawl c using (run_id, category_no)
          where verdict = 'complete' and not c.is_sample group by run_id, category_no`,
  },
  {
    says: 'a complete run has seen as many products of each category as it declares',
    sql: `select run_id, category_id, declared_last, distinct_seen from ops.run join ops.category_crawl c using (run_id)
          where verdict = 'complete' and root_no = category_no and not is_sample and distinct_seen < declared_last`,
  },
  {
    says: 'a certified run read a taxonomy and walked it',
    sql: `select run_id from ops.certified_run r
          where not exists (select from ops.category_crawl c where c.run_id = r.run_id)`,
  },
  {
    says: 'products become absent or delisted in certified runs only',
    sql: `select r.run_id, h.availability, count(*) from catalog.availability_spell h
          join catalog.product p using (product_key)
          join ops.run r on r.region = p.region and r.observed_at = h.valid_from
          where h.availability in ('absent', 'delisted') and r.verdict = 'partial'
            and h.valid_from is distinct from p.replaced_at
          group by r.run_id, h.availability`,
  },
  {
    // With DELIST_AFTER=1 one night is enough.
    says: 'a product is absent before it is delisted, where that takes more than one night',
    sql: `select d.product_key, d.valid_from, r.run_id from catalog.availability_spell d
          join catalog.product p using (product_key)
          join ops.run r on r.region = p.region and r.observed_at = d.valid_from
          join ops.certificate c on c.run_id = r.run_id and (c.evidence ->> 'delistAfter')::int > 1
          where d.availability = 'delisted' and d.valid_from is distinct from p.replaced_at and not exists (
            select from catalog.availability_spell a
            where a.product_key = d.product_key and a.availability = 'absent' and a.valid_to = d.valid_from)`,
  },
  {
    says: "the last run's figures are what the catalogue holds",
    sql: `select run_id, products_listed, products_available, listed, available from (
            select distinct on (region) * from ops.published_run order by region, observed_at desc) as r
          cross join lateral (
            select count(*) as listed, count(*) filter (where availability = 'available') as available
            from catalog.product_current c join catalog.product p using (product_key)
            where p.region = r.region and c.availability in ('available', 'unavailable')) as l
          where products_listed is distinct from listed or products_available is distinct from available`,
  },
  {
    says: 'runs of a region go forward in time',
    sql: `select * from (
            select run_id, region, snapshot_date, observed_at, lag(observed_at) over w as before,
              lag(snapshot_date) over w as night_before
            from ops.run where status not in ('abandoned', 'expired')
              window w as (partition by region order by run_id)) as r
          where observed_at <= before or snapshot_date < night_before`,
  },
  {
    says: "a run belongs to the date its instant has in the region's time zone",
    sql: `select run_id, region, snapshot_date, observed_at from ops.run join catalog.region using (region)
          where snapshot_date <> (observed_at at time zone time_zone)::date`,
  },
  {
    says: 'a published run is over, an open one is not',
    sql: `select run_id, status, phase from ops.run
          where (status = 'open') = (phase = 'over') or (status = 'open') <> (finished_at is null)
            or (status = 'published') <> (verdict is not null)`,
  },
  {
    // A run that was never staged has no base.
    says: 'a published run was staged against the one published before it',
    sql: `select run_id, base_run_id, before from (
            select run_id, base_run_id, base_epoch,
              lag(run_id) over (partition by region order by observed_at) as before
            from ops.published_run) as r
          where base_epoch is not null and base_run_id is distinct from before`,
  },
  {
    says: 'an open run waits for something it names, or somebody works on it',
    sql: `select run_id, region, snapshot_date, phase from ops.run r
          where status = 'open' and not ${isStopped}
            and not exists (select from ops.worker where alive_until > clock_timestamp())`,
    isAtRest: true,
  },
];

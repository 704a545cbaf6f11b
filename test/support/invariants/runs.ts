import { isStopped } from '../../../src/crawl/run/transitions.ts';
import type { Invariant } from '../../../src/followers/audits/invariants.ts';

/** Runs and certificates: no false `complete`, no absence without a certificate. */
export const runInvariants: readonly Invariant[] = [
  {
    says: 'a complete run has no reason against it, every other one has',
    sql: `select run_id, r.verdict, reasons from ops.certificate join ops.published_run r using (run_id)
          where (r.verdict = 'complete') <> (reasons = '[]' and released_because is null)`,
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
    sql: `select run_id, category_id, declared, seen from ops.run join ops.category_evidence using (run_id)
          where verdict = 'complete' and root_no = category_no and not is_sample and seen < declared`,
  },
  {
    says: 'a certified run read a taxonomy and walked it',
    sql: `select run_id from ops.certified_run r
          where not exists (select from ops.category_crawl c where c.run_id = r.run_id)`,
  },
  {
    // With DELIST_AFTER=1 one night is enough.
    says: 'a product is absent before it is delisted, where that takes more than one night',
    sql: `select d.product_key, d.valid_from, r.run_id from catalog.availability_spell d
          join catalog.product p using (product_key)
          join ops.run r on r.region = p.region and r.observed_at = d.valid_from
          join ops.certificate c on c.run_id = r.run_id and c.delist_after > 1
          where d.availability = 'delisted' and d.valid_from is distinct from p.replaced_at and not exists (
            select from catalog.availability_spell a
            where a.product_key = d.product_key and a.availability = 'absent' and a.valid_to = d.valid_from)`,
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
            or (status = 'published' and kind <> 'searches') <> (verdict is not null)`,
  },
  {
    // A run that was never staged has no base.
    says: 'a published run was staged against the one published before it',
    sql: `select run_id, base_run_id, before from (
            select run_id, base_run_id, base_run_token,
              lag(run_id) over (partition by region order by observed_at) as before
            from ops.published_run) as r
          where base_run_token is not null and base_run_id is distinct from before`,
  },
  {
    says: 'an open run waits for something it names, or somebody works on it',
    sql: `select run_id, region, snapshot_date, phase from ops.run r
          where status = 'open' and not ${isStopped}
            and not exists (select from ops.worker where alive_until > clock_timestamp())`,
  },
];

import type { Invariant } from '../../../src/followers/audits/invariants.ts';

const nobody = `not exists (
  select from ops.worker w
  where w.worker_id = u.worker_id and w.alive_until > clock_timestamp())`;

/** Units of work: finished units have evidence, and dead workers hold no claims. */
export const ledgerInvariants: readonly Invariant[] = [
  {
    says: 'a page that was read says what came and from which payload',
    sql: `select run_id, category_no, page_no, attempt_no from ops.category_page p
          where status = 'done'
            -- A page that the listing refuses beyond its window has no payload and says why.
            and (payload_sha256 is null and error is null or fetched_at is null or items_received is null
              or distinct_products is null)`,
  },
  {
    says: 'the pages planned for a category that is walked are those of its plan',
    sql: `select c.run_id, c.category_no, c.pages_planned, p.pages from ops.category_crawl c
          left join (
            select run_id, category_no, count(distinct page_no) as pages, max(page_no) as last
            from ops.category_page group by run_id, category_no) as p using (run_id, category_no)
          where not c.is_sample
            -- Pages are deleted with the archive, those of a run all at once.
            and exists (select from ops.category_page kept where kept.run_id = c.run_id)
            and (coalesce(p.pages, 0) <> c.pages_planned or p.last <> c.pages_planned)`,
  },
  {
    says: 'a run that is over has no work planned or in progress',
    sql: `select run_id, 'page' as unit, count(*) from ops.published_run r join ops.category_page p using (run_id)
          where (p.status = 'planned' or p.worker_id is not null) group by run_id
          union all
          select run_id, 'detail', count(*) from ops.published_run r join ops.detail_fetch d using (run_id)
          where (d.status = 'planned' or d.worker_id is not null) group by run_id`,
  },
  {
    says: 'details that were found have their payload',
    sql: `select run_id, product_id from ops.detail_fetch d
          where status = 'done' and (outcome is null or outcome = 'found' and payload_sha256 is null)`,
  },
  {
    says: 'no page or detail is leased to a worker that is dead',
    sql: `select run_id, 'page' as unit, category_no::text || '/' || page_no as name
          from ops.category_page u
          where worker_id is not null and ${nobody}
          union all
          select run_id, 'detail', product_id from ops.detail_fetch u where worker_id is not null and ${nobody}`,
  },
  {
    says: 'what runs staged is gone once the next run of the region was published',
    sql: `select distinct s.run_id from (
            select distinct run_id from stage.product union select distinct run_id from stage.promotion
            union select distinct run_id from stage.detail union select distinct run_id from stage.category) as s
          join ops.run r using (run_id)
          where r.status in ('published', 'abandoned', 'expired') and exists (
            select from ops.published_run later where later.region = r.region and later.run_id > r.run_id)`,
  },
  {
    says: 'only the last runs of a region keep what their pages saw',
    sql: `select run_id from (
            select run_id, region, row_number() over (partition by region order by run_id desc) as age
            from ops.published_run) as r
          where age > 4 and exists (select from ops.category_page p where p.run_id = r.run_id
            and p.seen_keys is not null)`,
  },
];

/** Last published runs per region with archived payloads; older payloads may have been deleted. */
const lastArchived = `(
  select distinct on (region) run_id from ops.published_run r
  where run_id in (select run_id from ops.payload)
  order by region, observed_at desc)`;

const isKept = (sha256: string) => `exists (select from ops.payload b where b.sha256 = ${sha256})`;

/** Everything parsed can be parsed again. */
export const payloadInvariants: readonly Invariant[] = [
  {
    says: 'what is in quarantine can be read again',
    sql: `select q.quarantine_id, q.endpoint from ops.quarantine q
          where q.payload_sha256 is not null and q.run_id in ${lastArchived}
            and not ${isKept('q.payload_sha256')}`,
  },
  {
    says: 'no two bodies share bytes of a pack',
    sql: `select * from (
            select pack, byte_offset, stored_bytes,
              lead(byte_offset) over (partition by pack order by byte_offset) as next_offset
            from ops.payload) as b
          where byte_offset < 0 or stored_bytes <= 0 or byte_offset + stored_bytes > next_offset`,
  },
];

/** Requests: none is counted twice, and all counted requests were sent. */
export const spendInvariants: readonly Invariant[] = [
  {
    says: 'a run was charged no more than was sent for it',
    sql: `select run_id, requests_spent, sent from ops.run r
          cross join lateral (select coalesce(sum(sent), 0) as sent from ops.spend s where s.run_id = r.run_id) as s
          where r.requests_spent > s.sent`,
  },
];

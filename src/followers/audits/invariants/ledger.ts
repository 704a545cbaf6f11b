import type { Invariant } from './invariant.ts';

const nobody = `not exists (
  select from ops.worker w
  where w.worker_id = u.worker_id and w.alive_until > clock_timestamp())`;

/** Units of work: finished units have evidence, and dead workers hold no claims. */
export const ledgerInvariants: readonly Invariant[] = [
  {
    says: 'a page that was read says what came and from which payload',
    sql: `select run_id, category_no, page_no, reading from ops.category_page p
          where status = 'done'
            -- A page that the listing refuses beyond its window has no payload and says why.
            and (payload_sha256 is null and error is null or fetched_at is null or items_received is null
              or distinct_products is null)`,
  },
  {
    says: 'no page shows more distinct products than items',
    sql: `select run_id, category_no, page_no, items_received, distinct_products from ops.category_page p
          where distinct_products + coalesce(rejected, 0) > items_received`,
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
    isAtRest: true,
  },
  {
    says: 'what runs staged is gone once the next run of the region was published',
    sql: `select distinct s.run_id from (
            select distinct run_id from stage.product union select distinct run_id from stage.promotion
            union select distinct run_id from stage.detail union select distinct run_id from stage.category) as s
          join ops.run r using (run_id)
          where r.status in ('published', 'abandoned', 'expired') and exists (
            select from ops.published_run later where later.region = r.region and later.run_id > r.run_id)`,
    isAtRest: true,
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

const isKept = (sha256: string) => `exists (select from ops.payload_body b where b.sha256 = ${sha256})`;

/** Everything parsed can be parsed again. */
export const payloadInvariants: readonly Invariant[] = [
  {
    says: "every page of the last night was archived before it was read, and its body's place is known",
    sql: `select p.run_id, p.category_no, p.page_no from ops.category_page p
          where p.run_id in ${lastArchived} and p.status = 'done'
            and not (${isKept('p.payload_sha256')} and (p.run_id, p.payload_sha256) in (
              select run_id, sha256 from ops.payload y where y.run_id in ${lastArchived}))`,
  },
  {
    says: 'so was every detail',
    sql: `select d.run_id, d.product_id from ops.detail_fetch d
          where d.run_id in ${lastArchived} and d.payload_sha256 is not null and not ${isKept('d.payload_sha256')}`,
  },
  {
    says: 'what is in quarantine and not healed can be read again',
    sql: `select q.quarantine_id, q.endpoint from ops.quarantine q
          where q.healed_at is null and q.payload_sha256 is not null and q.run_id in ${lastArchived}
            and not ${isKept('q.payload_sha256')}`,
  },
  {
    says: 'every payload has a body',
    sql: `select payload_id, request from ops.payload p where not ${isKept('p.sha256')}`,
  },
  {
    says: 'no two bodies share bytes of a pack',
    sql: `select * from (
            select pack, byte_offset, stored_bytes,
              lead(byte_offset) over (partition by pack order by byte_offset) as next_offset
            from ops.payload_body) as b
          where byte_offset < 0 or stored_bytes <= 0 or byte_offset + stored_bytes > next_offset`,
  },
];

const settled = 'ok + failed + refused + rate_limited + quota + denied + aborted';

/** Requests: none is counted twice, and all counted requests were sent. */
export const spendInvariants: readonly Invariant[] = [
  {
    says: 'no more requests have an outcome than were sent',
    sql: `select listing, endpoint, region, run_id, hour, sent, ${settled} as settled
          from ops.spend
          where sent < ${settled}`,
  },
  {
    says: 'no count of requests is negative',
    sql: `select listing, endpoint, hour from ops.spend
          where least(sent, ok, failed, refused, rate_limited, quota, denied, aborted) < 0`,
  },
  {
    says: 'a run was charged no more than was sent for it',
    sql: `select run_id, requests_spent, sent from ops.run r
          cross join lateral (select coalesce(sum(sent), 0) as sent from ops.spend s where s.run_id = r.run_id) as s
          where r.requests_spent > s.sent`,
  },
  {
    says: 'every page and detail that was read was paid for',
    sql: `select run_id, read, ok from (
            select run_id, (select count(*) from ops.category_page p where p.run_id = r.run_id and p.status = 'done')
              + (select count(*) from ops.detail_fetch d where d.run_id = r.run_id and d.status = 'done'
                and d.outcome = 'found') as read,
              (select coalesce(sum(units), 0) from ops.spend s where s.run_id = r.run_id) as ok
            from ops.run r) as runs
          where read > ok`,
  },
  {
    says: 'a request counts at least once against the limits',
    sql: `select listing, endpoint, region, run_id, hour, sent, units from ops.spend where units > 0 and units < sent`,
  },
  {
    says: 'a quota is never overdrawn into the negative, and its period goes forward',
    sql: `select listing, used, month_starts_at, month_ends_at from ops.listing
          where least(used, used_before, used_by_others) < 0 or month_ends_at <= month_starts_at`,
  },
];

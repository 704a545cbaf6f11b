import type { Invariant } from './invariant.ts';

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

import type { PackIndex } from '../archive/prune.ts';
import type { Database } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';

/** The archive's index as pruning needs it. */
export function createPackIndex(db: Database): PackIndex {
  return {
    async forget(before) {
      return db.tx(async (tx) => {
        const payloads = await countOf(tx, forgetPayloads, [before]);
        await tx.query(forgetPlaces, [before.toISOString().slice(0, 10)]);
        return payloads;
      });
    },

    async referenced(packs) {
      const rows = await rowsOf<{ pack: string }>(
        db,
        'select distinct pack from ops.payload_body where pack = any($1)',
        [packs],
      );
      return new Set(rows.map(({ pack }) => pack));
    },
  };
}

/**
 * Kept whatever their age: what a quarantined element needs to heal, what runs that are not over stand on, and each
 * region's last night, which can always be read again.
 */
const forgetPayloads = `
  delete from ops.payload p
  where p.received_at < $1
    and not exists (select from ops.quarantine q where q.payload_sha256 = p.sha256 and q.healed_at is null)
    and not exists (
      select from (
        select run_id from ops.run where status in ('open', 'held')
        union all
        (select distinct on (region) run_id from ops.run where status = 'published' order by region, observed_at desc)
      ) as needed
      where needed.run_id = p.run_id)`;

/** A pack goes as a whole, when no payload is left that has its body in it. */
const forgetPlaces = `
  delete from ops.payload_body
  where pack in (
    select b.pack from ops.payload_body b
    where b.pack < $1
    group by b.pack
    having not bool_or(exists (select from ops.payload p where p.sha256 = b.sha256)))`;

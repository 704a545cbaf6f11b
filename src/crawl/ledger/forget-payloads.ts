import type { Database } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { PackIndex } from '../archive/prune.ts';

/** The archive's index as pruning needs it. */
export function createPackIndex(db: Database): PackIndex {
  return {
    async forget(before) {
      return db.tx(async (tx) => {
        const payloads = await countOf(tx, forgetPayloads, [before]);
        for (const table of ['ops.category_page', 'ops.detail_fetch']) await tx.query(forgetUnits(table), [before]);
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

/** SQL: runs that are not over, and a region's last published ones. */
const lastRuns = (published: number) => `
  select run_id from ops.run where status in ('open', 'held')
  union all
  select run_id from (
    select run_id, row_number() over (partition by region order by observed_at desc) as age
    from ops.run where status = 'published') as published
  where age <= ${published}`;

/** A region's last night can always be replayed. Quarantined elements keep their payload, from which they may heal. */
const forgetPayloads = `
  delete from ops.payload p
  where p.received_at < $1
    and not exists (select from (${lastRuns(1)}) as needed where needed.run_id = p.run_id)
    and not exists (select from ops.quarantine q where q.payload_sha256 = p.sha256 and q.healed_at is null)`;

/**
 * A person's release and the next night's certificate need the products seen on the pages of a region's last runs,
 * however old these are. Unlike a payload, a run's pages and details go all at once: none of them is of use without the
 * others.
 */
const forgetUnits = (table: string): string => `
  delete from ${table} u using ops.run r
  where r.run_id = u.run_id and r.observed_at < $1
    and not exists (select from (${lastRuns(4)}) as needed where needed.run_id = r.run_id)`;

/** A pack is deleted as a whole, when the body of no remaining payload is in it. */
const forgetPlaces = `
  delete from ops.payload_body
  where pack in (
    select pack from ops.payload_body where pack < $1
    except
    select b.pack from ops.payload_body b join ops.payload using (sha256) where b.pack < $1)`;

import type { Database } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { PackIndex } from '../archive/prune.ts';

/** Creates the index of packs that pruning needs. */
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

/** SQL: runs that are not over, and the last `published` published runs of each region. */
const lastRuns = (published: number) => `
  select run_id from ops.run where status in ('open', 'held')
  union all
  select run_id from (
    select run_id, row_number() over (partition by region order by observed_at desc) as age
    from ops.published_run) as published
  where age <= ${published}`;

/**
 * Keeps payloads of each region's last night, which must stay replayable, and of quarantined elements, which a replay
 * may heal.
 */
const forgetPayloads = `
  delete from ops.payload p
  where p.received_at < $1
    and not exists (select from (${lastRuns(1)}) as needed where needed.run_id = p.run_id)
    and not exists (select from ops.quarantine q where q.payload_sha256 = p.sha256 and q.healed_at is null)`;

/**
 * Keeps the pages and details of a region's last runs, however old: releases and the next certificate need the products
 * on them. Those of older runs are deleted together, because they are useless without each other.
 */
const forgetUnits = (table: string): string => `
  delete from ${table} u using ops.run r
  where r.run_id = u.run_id and r.observed_at < $1
    and not exists (select from (${lastRuns(4)}) as needed where needed.run_id = r.run_id)`;

/** Deletes the locations of a pack's bodies when no remaining payload refers to the pack. */
const forgetPlaces = `
  delete from ops.payload_body
  where pack in (
    select pack from ops.payload_body where pack < $1
    except
    select b.pack from ops.payload_body b join ops.payload using (sha256) where b.pack < $1)`;

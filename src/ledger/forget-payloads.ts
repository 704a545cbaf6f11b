import type { PackIndex } from '../archive/prune.ts';
import type { Database, Transaction } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { columnsOf, detailFolding, holdFolds, pageFolding, payloadFolding, unfolded } from './folded.ts';

/** The archive's index as pruning needs it. */
export function createPackIndex(db: Database): PackIndex {
  return {
    async forget(before) {
      return db.tx(async (tx) => {
        await holdFolds(tx);
        const payloads = (await countOf(tx, forgetPayloads, [before])) + (await forgetFolded(tx, before));
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

/** What a quarantined element needs to heal is kept whatever its age. */
const isQuarantined = (payload: string): string =>
  `exists (select from ops.quarantine q where q.payload_sha256 = ${payload}.sha256 and q.healed_at is null)`;

/** So is what runs that are not over stand on, and each region's last night, which can always be read again. */
const lastingRuns = `
  select run_id from ops.run where status in ('open', 'held')
  union all
  (select distinct on (region) run_id from ops.run where status = 'published' order by region, observed_at desc)`;

const forgetPayloads = `
  delete from ops.payload p
  where p.received_at < $1 and not ${isQuarantined('p')} and not exists (select from (${lastingRuns}) as needed where needed.run_id = p.run_id)`;

/**
 * Folded runs are forgotten whole, once the last of their payloads is too old. What of them is in quarantine becomes rows
 * again; the pages, which nobody can read again without the others, keep their counts only.
 */
async function forgetFolded(tx: Transaction, before: Date): Promise<number> {
  const runs = await rowsOf<{ runId: number; payloads: number }>(tx, selectForgettable, [before]);
  const runIds = runs.map(({ runId }) => runId);
  const kept = await countOf(
    tx,
    `insert into ops.payload (${columnsOf(payloadFolding)}) overriding system value
     select * from (${unfolded(payloadFolding)}) as p where run_id = any($1) and ${isQuarantined('p')}`,
    [runIds],
  );
  await tx.query('delete from ops.payload_fold where run_id = any($1)', [runIds]);
  for (const { fold, folded } of [pageFolding, detailFolding]) {
    const nothing = folded.map((name) => `${name} = null`).join(', ');
    await tx.query(`update ${fold} set ${nothing} where run_id = any($1)`, [runIds]);
  }
  return runs.reduce((sum, { payloads }) => sum + payloads, 0) - kept;
}

const selectForgettable = `
  select run_id as "runId", sum(payloads)::int as payloads
  from ops.payload_fold f
  where not exists (select from (${lastingRuns}) as needed where needed.run_id = f.run_id)
  group by run_id
  having max(last_received_at) < $1`;

/** A pack goes as a whole, when no payload is left that has its body in it. */
const forgetPlaces = `
  delete from ops.payload_body
  where pack in (
    select pack from ops.payload_body where pack < $1
    except
    select b.pack
    from ops.payload_body b
    join (select sha256 from ops.payload union all select unnest(sha256) from ops.payload_fold) as referred using (sha256)
    where b.pack < $1)`;

import type { Database, Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { Packs } from './packs.ts';
import { dayOf } from './payload-archive.ts';

export interface Pruned {
  readonly payloads: number;
  readonly packs: number;
}

const dayMs = 86_400_000;

/**
 * Deletes payloads in packs older than `days` days (0: none), and pages and details of runs of that time. Rows go
 * first, packs second: a crash in between leaves unreferenced packs, which the next run deletes. Packs younger than
 * `days` are never touched, because another process may be writing them.
 */
export async function pruneArchive(
  { packs, db }: { readonly packs: Pick<Packs, 'before' | 'remove'>; readonly db: Database },
  now: Date,
  days: number,
): Promise<Pruned> {
  if (days === 0) return { payloads: 0, packs: 0 };
  const day = dayOf(new Date(now.getTime() - days * dayMs));
  const payloads = await db.tx(async (tx) => {
    for (const table of ['ops.category_page', 'ops.detail_fetch']) await tx.query(forgetUnits(table), [day]);
    return countOf(tx, forgetPayloads, [day]);
  });
  const needed = await packsBefore(db, day);
  const unneeded = (await packs.before(day)).filter((pack) => !needed.has(pack));
  for (const pack of unneeded) await packs.remove(pack);
  return { payloads, packs: unneeded.length };
}

/** Packs of earlier days that hold a payload. */
async function packsBefore(db: Queryable, day: string): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ pack: string }>(db, 'select distinct pack from ops.payload where pack < $1', [day]);
  return new Set(rows.map(({ pack }) => pack));
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
 * may accept. The name of a pack begins with its day.
 */
const forgetPayloads = `
  delete from ops.payload p
  where p.pack < $1
    and not exists (select from (${lastRuns(1)}) as needed where needed.run_id = p.run_id)
    and not exists (select from ops.quarantine q where q.payload_sha256 = p.sha256)`;

/**
 * Keeps the pages and details of a region's last runs, however old: releases and the next certificate need the products
 * on them. Those of older runs are deleted together, because they are useless without each other.
 */
const forgetUnits = (table: string): string => `
  delete from ${table} u using ops.run r
  where r.run_id = u.run_id and r.observed_at < $1::date
    and not exists (select from (${lastRuns(4)}) as needed where needed.run_id = r.run_id)`;

import type { Database } from '../db/client.ts';
import { codeOf } from '../db/connection-error.ts';

const stageTables = ['stage.listing', 'stage.promotion', 'stage.detail', 'stage.category'] as const;

/** Runs whose staged rows are still wanted: a held one only until a later night is published. */
const isWanted = `exists (
  select from ops.run r where r.run_id = s.run_id and (r.status = 'open' or r.status = 'held' and not exists (
    select from ops.run later where later.region = r.region and later.status = 'published' and later.observed_at > r.observed_at)))`;

/** How long other writers may be kept waiting for the sake of tidiness. */
const lockTimeoutMs = 100;

/**
 * Drops what runs that are over have staged; anything left by a crash goes with the next publication. After publication
 * and table by table: a lock on all of a table inside it would meet another region's publication head on.
 */
export async function emptyStage(db: Database): Promise<void> {
  for (const table of stageTables) {
    const isTruncated = await truncateIfUnwanted(db, table);
    if (!isTruncated) await db.query(`delete from ${table} s where not ${isWanted}`);
  }
}

/**
 * Truncation gives the space back at once, but empties the table: only when no run that goes on has staged anything.
 */
async function truncateIfUnwanted(db: Database, table: (typeof stageTables)[number]): Promise<boolean> {
  try {
    return await db.tx(
      async (tx) => {
        await tx.query(`lock table ${table} in access exclusive mode`);
        const { rowCount } = await tx.query(`select 1 from ${table} s where ${isWanted} limit 1`);
        if (rowCount === 0) await tx.query(`truncate ${table}`);
        return rowCount === 0;
      },
      { lockTimeoutMs, attempts: 1 },
    );
  } catch (error) {
    // 55P03 lock_not_available: somebody is at work in it
    if (codeOf(error) === '55P03') return false;
    throw error;
  }
}

import type { Database } from '../db/client.ts';
import { codeOf } from '../db/connection-error.ts';

const stageTables = ['stage.product', 'stage.promotion', 'stage.detail', 'stage.category'] as const;

/** SQL: the staged row's run is unfinished, or held with no later night published. */
const isWanted = `exists (
  select from ops.run r where r.run_id = s.run_id and (r.status = 'open' or r.status = 'held' and not exists (
    select from ops.published_run later
    where later.region = r.region and later.observed_at > r.observed_at)))`;

/** Maximum time in milliseconds that a cleanup may make other writers wait. */
const lockTimeoutMs = 100;

/**
 * Deletes the staged rows of finished runs; leftovers of a crash go with the next publication. Runs after publication,
 * one table at a time: a full table lock inside it would deadlock with another region's publication.
 */
export async function emptyStage(db: Database): Promise<void> {
  for (const table of stageTables) {
    const isTruncated = await truncateIfUnwanted(db, table);
    if (!isTruncated) await db.query(`delete from ${table} s where not ${isWanted}`);
  }
}

/** Truncates the table if no row in it is needed. Truncation frees the space at once, unlike deletion. */
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
    // 55P03 lock_not_available: the table is in use.
    if (codeOf(error) === '55P03') return false;
    throw error;
  }
}

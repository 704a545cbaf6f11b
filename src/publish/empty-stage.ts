import type { Database } from '../db/client.ts';
import { codeOf } from '../db/connection-error.ts';
import { rowsOf } from '../db/rows.ts';

const stageTables = ['stage.product', 'stage.promotion', 'stage.detail', 'stage.category'] as const;

/** SQL: the staged row's run is unfinished, or held with no later night published. */
const isWanted = `exists (
  select from ops.run r where r.run_id = s.run_id and (r.status = 'open' or r.status = 'held' and not exists (
    select from ops.published_run later
    where later.region = r.region and later.observed_at > r.observed_at)))`;

/** Maximum time in milliseconds that a cleanup may make other writers wait. */
const lockTimeoutMs = 100;

/** Rows of smaller tables are deleted, which costs less than new files. */
const leastTruncatedBytes = 1024 * 1024;

/**
 * Deletes the staged rows of finished runs; leftovers of a crash go with the next publication. Runs after publication:
 * a full table lock inside it would deadlock with another region's publication.
 */
export async function emptyStage(db: Database): Promise<void> {
  if (await truncateIfUnwanted(db)) return;
  await db.query(stageTables.map((table) => `delete from ${table} s where not ${isWanted}`).join(';'));
}

/** Truncates large tables if no row in them is needed. Truncation frees the space at once, unlike deletion. */
async function truncateIfUnwanted(db: Database): Promise<boolean> {
  const bytes = stageTables.map((table) => `pg_total_relation_size('${table}')`).join(' + ');
  const [size] = await rowsOf<{ isSmall: boolean }>(db, `select ${bytes} < $1 as "isSmall"`, [leastTruncatedBytes]);
  if (size!.isSmall) return false;
  const tables = stageTables.join(', ');
  const wanted = stageTables.map((table) => `exists (select from ${table} s where ${isWanted})`).join(' or ');
  try {
    return await db.tx(
      async (tx) => {
        await tx.query(`lock table ${tables} in access exclusive mode`);
        const [row] = await rowsOf<{ isWanted: boolean }>(tx, `select ${wanted} as "isWanted"`);
        if (!row!.isWanted) await tx.query(`truncate ${tables}`);
        return !row!.isWanted;
      },
      { lockTimeoutMs, attempts: 1 },
    );
  } catch (error) {
    // 55P03 lock_not_available: the tables are in use.
    if (codeOf(error) === '55P03') return false;
    throw error;
  }
}

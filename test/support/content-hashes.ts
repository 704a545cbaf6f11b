import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { contentHash } from '../../src/publish/quality/content-hash.ts';

/** Gives certificates the hash that their nights have now, for nights that were inserted or changed by hand. */
export async function renewContentHashes(db: Queryable): Promise<void> {
  const runs = await rowsOf<{ runId: number }>(db, 'select run_id as "runId" from ops.published_run');
  for (const { runId } of runs) {
    const hash = await contentHash(db, runId);
    await db.query('update ops.certificate set content_hash = $2 where run_id = $1', [runId, hash]);
  }
}

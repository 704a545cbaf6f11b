import type { Queryable } from '../../src/db/client.ts';
import { camelRows } from '../../src/db/rows.ts';
import { contentHash } from '../../src/publish/content-hash.ts';

/** Gives certificates the hash that their nights have now, for nights that were inserted or changed by hand. */
export async function renewContentHashes(db: Queryable): Promise<void> {
  const runs = await camelRows<{ runId: number }>(db, 'select run_id from ops.published_run');
  for (const { runId } of runs) {
    const hash = await contentHash(db, runId);
    await db.query('update ops.certificate set content_hash = $2 where run_id = $1', [runId, hash]);
  }
}

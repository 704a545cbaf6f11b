import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { startStop } from '../../src/gateway/limits/stops.ts';

/** Resolves when a stop is in force and its probe, if there was one, has come back. */
export async function untilStopped(db: Database): Promise<void> {
  const sql = 'select 1 from ops.stop where until > ops.clock() and probe_until is null';
  while ((await rowsOf(db, sql)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Lengthens the stops in force, once there is one, by an hour: whoever waits for them leaves. */
export async function lengthenStops(db: Database): Promise<void> {
  await untilStopped(db);
  await db.query(`update ops.stop set until = until + interval '1 hour' where until > ops.clock()`);
}

/** Ends the pauses of all stops, so that a probe is due. */
export async function endPauses(db: Database): Promise<void> {
  await db.query('update ops.stop set until = ops.clock(), probe_until = null');
}

/** Holds a run back for a day. */
export function holdBack(db: Database, runId: number, detail: string): Promise<void> {
  return startStop(db, { scope: 'run', scopeId: String(runId), reason: 'room', detail, forMs: 86_400_000 });
}

import { isStopped } from '../../crawl/ledger/run-stops.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Condition } from './condition.ts';

/** Time for a worker to restart. */
const patienceMinutes = 5;

/** Conditions: an open run has work, but no worker is alive. */
export async function workerConditions(sql: Queryable, now: Date): Promise<Condition[]> {
  const waiting = await rowsOf<{ region: string; night: string; runId: number }>(
    sql,
    `select region, snapshot_date::text as night, run_id as "runId" from ops.run r
     where status = 'open' and not ${isStopped} and started_at < $1::timestamptz - interval '${patienceMinutes} minutes'
       and not exists (select from ops.worker where alive_until > clock_timestamp())
     order by region`,
    [now],
  );
  return waiting.map(({ region, night, runId }) => ({
    kind: 'no_worker',
    subject: `${region} ${night}`,
    says: `${region} ${night}: run ${runId} has work to do, and no worker is alive to do it.`,
    advice: 'Start `pricebook work`; finished pages are not requested again.',
  }));
}

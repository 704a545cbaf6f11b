import type { Clock } from '../../src/base/clock.ts';
import { createInstruments } from '../../src/base/metrics/instruments.ts';
import { createRuns } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { readStatus } from '../../src/questions/status.ts';
import { createMonitoring, databaseCheck, type Monitoring } from '../../src/web/monitoring/monitoring.ts';

export const onlyGrocery = new Map([['grocery', { monthlyQuota: 10_000 }]] as const);

/** What an explorer over a database tells of itself. */
export function monitoringOf(db: Database, clock: Clock): Monitoring {
  const runs = createRuns(db);
  return createMonitoring({
    checks: () => [
      {
        name: databaseCheck,
        isNeeded: true,
        unreachable: 'PostgreSQL does not answer',
        async look() {
          await db.query('select 1');
          return null;
        },
      },
    ],
    instruments: createInstruments({ role: 'serve', version: '0.0.0' }),
    async readGauges() {
      const status = await readStatus({ db, runs, now: clock.now(), listings: onlyGrocery });
      return { ...status, certified: await runs.lastCertified(), windows: [], queues: [] };
    },
  });
}

import type { Clock } from '../../src/base/clock.ts';
import { createInstruments } from '../../src/base/metrics/instruments.ts';
import { readLastCertified } from '../../src/crawl/ledger/last-certified.ts';
import { createRuns } from '../../src/crawl/ledger/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { readStatus } from '../../src/questions/status.ts';
import { createMonitoring, databaseCheck, type Monitoring } from '../../src/web/monitoring/monitoring.ts';

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
      const status = await readStatus({ db, runs, now: clock.now(), quotas: new Map([['grocery', 10_000]]) });
      return { ...status, certified: await readLastCertified(db), windows: [], queues: [] };
    },
  });
}

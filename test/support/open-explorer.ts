import { NightAt } from '../../src/app/config/variable-types.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createRuns } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { countNightsOwed } from '../../src/followers/derive/owed-nights.ts';
import { readStatus } from '../../src/questions/status.ts';
import { type Explorer, type ExplorerNeeds, openExplorer } from '../../src/web/server.ts';
import { monitoringOf, onlyGrocery } from './monitoring.ts';

/** An explorer over a database, open to everybody on this machine. Its troubles are thrown. */
export function openAt(db: Database, clock: Clock, more: Partial<ExplorerNeeds> = {}): Promise<Explorer> {
  const runs = createRuns(db);
  const fail = (trouble: unknown): never => {
    throw trouble instanceof Error ? trouble : new Error(String(trouble));
  };
  return openExplorer({
    ...{ host: '127.0.0.1', port: 0, databaseUrl: db.url, clock, ownCommand: 'pricebook' },
    access: { password: null, userHeader: null, tokens: null },
    nightBeginsAt: NightAt.parse('02:00'),
    monitoring: monitoringOf(db, clock),
    queues: () => null,
    readStatus: () => readStatus({ db, runs, now: clock.now(), listings: onlyGrocery }),
    countNightsOwed: (region) => countNightsOwed(db, region),
    readRuns: () => runs.recent(5),
    onTrouble: fail,
    onOwnRights: fail,
    ...more,
  });
}

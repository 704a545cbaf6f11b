import { access, constants } from 'node:fs/promises';
import { jobs } from '../../jobs/index.ts';
import { archiveOf } from '../app/compose/archive.ts';
import { type Base, compose } from '../app/compose.ts';
import { listingsInUse, statusOf } from '../app/listings-in-use.ts';
import { readUsedRequests } from '../app/used-requests.ts';
import { watchClock } from '../app/watch-clock.ts';
import { createInstruments } from '../base/metrics/instruments.ts';
import type { QueueStore } from '../crawl/queue/store.ts';
import { createMonitoring, databaseCheck, queueCheck } from '../web/monitoring/monitoring.ts';
import type { Check } from '../web/monitoring/readiness.ts';
import { openMonitoringServer } from '../web/monitoring/server.ts';
import { cannotListen } from './cannot-listen.ts';
import { using } from './closing.ts';
import type { Invocation } from './define-verb.ts';
import { readVersion } from './version.ts';

type Role = 'start' | 'work' | 'schedule' | 'serve';
export type Watched = Awaited<ReturnType<typeof composeWatched>>;

export async function composeWatched(role: Role, { config: given, clock, log, signal, end }: Invocation) {
  const instruments = createInstruments({ role, version: readVersion() });
  const base = await compose(given, { clock, log, name: role, measure: instruments });
  const closing = async (error: unknown) => {
    await base.close();
    throw error;
  };
  const time = role === 'serve' ? null : await watchClock(base.db, { clock, end }).catch(closing);
  let store: QueueStore | null = null;
  const monitoring = createMonitoring({
    checks: () => checksOf(role, base, store, signal),
    instruments,
    readGauges: (reachable) => readGauges(base, reachable.has(queueCheck) ? store : null),
  });
  return {
    base,
    monitoring,
    /** Sets the queues of the process once they are open. */
    useQueues(opened: QueueStore): void {
      store = opened;
    },
    /** Queues by job; null: not open yet. */
    queues: () => store && jobs.map(({ name }) => ({ name, queue: store!.look(name) })),
    async close(): Promise<void> {
      await time?.close();
      await base.close();
    },
  };
}

/** Runs `work` or `schedule`: opens its base, serves health, readiness and metrics, and closes all after `use`. */
export function runWatched(
  role: Role,
  invocation: Invocation,
  use: (watched: Watched) => Promise<void>,
): Promise<void> {
  return using(composeWatched(role, invocation), (watched) => using(openMonitoringOver(watched), () => use(watched)));
}

/** Serves health, readiness and metrics at METRICS_PORT, for roles without the explorer. Throws `Refused`. */
async function openMonitoringOver({ base, monitoring }: Watched): Promise<{ close(): Promise<void> }> {
  const { host, metricsPort: port, dashboard } = base.config;
  if (port === null) return { close: async () => undefined };
  try {
    const server = await openMonitoringServer({ host, port, tokens: dashboard.tokens, monitoring });
    base.log.info({ url: server.url }, 'serving health, readiness and metrics');
    return server;
  } catch (error) {
    throw cannotListen(error, host, port, 'HOST or METRICS_PORT, a different one per process');
  }
}

function checksOf(role: Role, { config, db }: Base, store: QueueStore | null, signal: AbortSignal): Check[] {
  const noDatabase = 'PostgreSQL does not answer; see DATABASE_URL';
  const check = (name: string, unreachable: string, look: Check['look'], isNeeded = true): Check => ({
    ...{ name, unreachable, look, isNeeded },
  });
  const checks = [
    check('process', '', async () => (signal.aborted ? 'stopping: the process takes no new work' : null)),
    check(databaseCheck, noDatabase, () => db.query('select 1').then(() => null)),
    check(
      queueCheck,
      config.redisUrl ? 'Redis does not answer; see REDIS_URL' : noDatabase,
      async () => (store === null ? 'the queues are not open yet' : store.ping().then(() => null)),
      // The explorer works without the queues.
      role !== 'serve',
    ),
  ];
  if (!['start', 'work'].includes(role) || config.archive !== 'file') return checks;
  const canWrite = () => access(archiveOf(config), constants.W_OK).then(() => null);
  return [...checks, check('archive', 'the archive folder is not writable; see PRICEBOOK_HOME', canWrite)];
}

async function readGauges(base: Base, store: QueueStore | null) {
  const { config, clock, db } = base;
  const [status, certified, windows] = await Promise.all([
    statusOf(base),
    base.runs.lastCertified(),
    readUsedRequests(db, clock.now(), listingsInUse(config)),
  ]);
  const queues: { queue: string; state: string; jobs: number }[] = [];
  // Sequential, because concurrent reads would open one PostgreSQL connection per queue.
  for (const { name: queue } of store === null ? [] : jobs)
    for (const [state, jobs] of Object.entries(await store!.depths(queue))) queues.push({ queue, state, jobs });
  return { ...status, certified, windows, queues };
}

import { access, constants } from 'node:fs/promises';
import type { Queue } from 'bullmq';
import { jobs } from '../../jobs/index.ts';
import { statusOf } from '../app/askable-listings.ts';
import { archiveOf } from '../app/compose/archive.ts';
import { type Base, compose } from '../app/compose.ts';
import { askedListings } from '../app/config/asked-listings.ts';
import { createInstruments } from '../base/metrics/instruments.ts';
import { readLastCertified } from '../crawl/ledger/last-certified.ts';
import type { QueueStore } from '../crawl/queue/store.ts';
import { readUsedUnits } from '../gateway/limits/used-units.ts';
import { createMonitoring, databaseCheck, type Monitoring, queueCheck } from '../web/monitoring/monitoring.ts';
import type { Check } from '../web/monitoring/readiness.ts';
import { openMonitoringServer } from '../web/monitoring/server.ts';
import { cannotListen } from './cannot-listen.ts';
import type { Invocation } from './define-verb.ts';
import { readVersion } from './version.ts';
import { watchClock } from './watch-clock.ts';

/** Commands that run until stopped. */
type Role = 'start' | 'work' | 'schedule' | 'serve';

/** Base and monitoring of a long-running command. */
export interface Watched {
  readonly base: Base;
  readonly monitoring: Monitoring;
  /** Sets the queues of the process once they are open. */
  useQueues(store: QueueStore): void;
  /** Queues by job; null: not open yet. */
  queues(): { readonly name: string; readonly queue: Queue }[] | null;
  close(): Promise<void>;
}

/** Opens the base of a long-running command. */
export async function composeWatched(
  role: Role,
  { config: given, clock, log, signal, end }: Pick<Invocation, 'config' | 'clock' | 'log' | 'signal' | 'end'>,
): Promise<Watched> {
  const instruments = createInstruments({ role, version: readVersion() });
  const base = await compose(given, { clock, log, name: role, measure: instruments });
  const closing = async (error: unknown) => {
    await base.close();
    throw error;
  };
  const time = role === 'serve' ? null : await watchClock(base.db, { clock, end }).catch(closing);
  let store: QueueStore | null = null;
  const monitoring = createMonitoring({
    checks: () => [processCheck(signal), ...checksOf(role, base, store)],
    instruments,
    readGauges: (reachable) => readGauges(base, reachable.has(queueCheck) ? store : null),
  });
  return {
    base,
    monitoring,
    useQueues(opened) {
      store = opened;
    },
    queues: () => store && jobs.map(({ name }) => ({ name, queue: store!.look(name) })),
    async close() {
      await time?.close();
      await base.close();
    },
  };
}

/** Serves health, readiness and metrics at METRICS_PORT, for roles without the explorer. Throws `Refused`. */
export async function openMonitoringOver({ base, monitoring }: Watched): Promise<{ close(): Promise<void> }> {
  const { host, metricsPort: port, dashboard } = base.config;
  if (port === null) return { close: async () => undefined };
  const tokens = dashboard.tokens?.reveal().trim().split(/\s+/) ?? [];
  try {
    const server = await openMonitoringServer({ host, port, tokens, monitoring });
    base.log.info({ url: server.url }, 'serving health, readiness and metrics');
    return server;
  } catch (error) {
    throw cannotListen(error, host, port, 'HOST or METRICS_PORT, a different one per process');
  }
}

function processCheck(signal: AbortSignal): Check {
  return {
    name: 'process',
    isNeeded: true,
    look: async () => (signal.aborted ? 'stopping: the process takes no new work' : null),
    unreachable: '',
  };
}

function checksOf(role: Role, base: Base, store: QueueStore | null): Check[] {
  const { config, db } = base;
  const crawls = role === 'start' || role === 'work';
  const database: Check = {
    name: databaseCheck,
    isNeeded: true,
    async look() {
      await db.query('select 1');
      return null;
    },
    unreachable: 'PostgreSQL does not answer; see DATABASE_URL',
  };
  const queue: Check = {
    name: queueCheck,
    // The explorer works without the queues.
    isNeeded: role !== 'serve',
    async look() {
      if (store === null) return 'the queues are not open yet';
      await store.ping();
      return null;
    },
    unreachable: config.redisUrl
      ? 'Redis does not answer; see REDIS_URL'
      : 'PostgreSQL does not answer; see DATABASE_URL',
  };
  const archive: Check = {
    name: 'archive',
    isNeeded: true,
    async look() {
      await access(archiveOf(config), constants.W_OK);
      return null;
    },
    unreachable: 'the archive folder is not writable; see PRICEBOOK_HOME',
  };
  return [database, queue, ...(crawls && config.archive === 'file' ? [archive] : [])];
}

async function readGauges(base: Base, store: QueueStore | null) {
  const { config, clock, db } = base;
  const now = clock.now();
  const limits = new Map(askedListings(config).map((name) => [name, config.listings[name]]));
  const [status, certified, windows, queues] = await Promise.all([
    statusOf(base),
    readLastCertified(db),
    readUsedUnits(db, now, limits),
    store === null ? [] : readDepths(store),
  ]);
  return { ...status, certified, windows, queues };
}

async function readDepths(store: QueueStore) {
  const depths: { queue: string; state: string; jobs: number }[] = [];
  // Sequential, because concurrent reads would open one PostgreSQL connection per queue.
  for (const { name: queue } of jobs) {
    const counts = await store.depths(queue);
    for (const [state, count] of Object.entries(counts)) depths.push({ queue, state, jobs: count });
  }
  return depths;
}

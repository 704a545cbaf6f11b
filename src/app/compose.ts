import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobs, runJobs } from '../../jobs/index.ts';
import { limitLines } from '../base/limited-lines.ts';
import { regionCodes } from '../base/model/index.ts';
import type { CrawlContext } from '../crawl/context.ts';
import { createIngest } from '../crawl/ingest.ts';
import { createLeaving } from '../crawl/leave-run.ts';
import { startWorkers } from '../crawl/queue/open-queues.ts';
import { dispatch } from '../crawl/run/dispatch.ts';
import type { Run } from '../crawl/run/runs.ts';
import { quarantinePayload } from '../crawl/stage/quarantine.ts';
import { registerWorker } from '../crawl/workers.ts';
import { isServerTrouble } from '../db/connection-error.ts';
import { keyPrint } from '../gateway/limits/stops.ts';
import { endpointsOf } from '../source/endpoints/index.ts';
import { composeAddresses } from './compose/addresses.ts';
import { composeAlerts } from './compose/alerts.ts';
import { composeFirstLook, composePruning, openArchive } from './compose/archive.ts';
import { type Closer, unwind } from './compose/closers.ts';
import type { Base } from './compose/data.ts';
import { composeFollowers } from './compose/followers.ts';
import { composeQueues } from './compose/queue.ts';
import { type CrawlerOptions, settingsOf, storeLocatorOf } from './compose/settings.ts';
import { composeUpstream } from './compose/upstream.ts';
import { enterWorld, playWorld } from './compose/world.ts';
import type { Config } from './config.ts';
import { listingsInUse } from './listings-in-use.ts';

export { composeAddresses } from './compose/addresses.ts';
export { archiveAsFound, composePruning, composeReplay } from './compose/archive.ts';
export { atBook, type Base, compose, openDatabase } from './compose/data.ts';
export { composeExporter, composeFollowers } from './compose/followers.ts';
export { openStore } from './compose/queue.ts';
export { type CrawlerOptions, settingsOf } from './compose/settings.ts';

/** Components of crawling: workers, queues, gateway, archive and, if nothing is configured, the simulator. */
export type Crawler = Awaited<ReturnType<typeof composeCrawler>>;

/** Opens all components of crawling and starts the workers. */
export async function composeCrawler(given: Base, options: CrawlerOptions = {}) {
  const { clock, log, db, measure, runs } = given;
  const closers: Closer[] = [];
  try {
    const world = await enterWorld(given, options);
    const archive = await openArchive(given, closers);
    const { config, simulator } = await playWorld(given, world, options, closers);
    const base: Base = { ...given, config };
    const addressOf = composeAddresses(base);
    const upstream = composeUpstream(base, addressOf, archive, closers);

    const openRun = async (runId: number): Promise<Run | null> => {
      const run = await runs.find(runId);
      if (run?.status !== 'open') return null;
      // The simulator serves the date of the run that sends the request, even after midnight.
      simulator?.change({ dates: { [run.region]: run.snapshotDate } });
      return run;
    };
    const { store, queues } = await composeQueues(base, closers);
    const keyOf = keysOf(config);
    const worker = await registerWorker(db, clock, { pid: process.pid, command: base.command, key: keyOf('grocery') });
    closers.push(() => worker.close());

    const { tell, onLeave, leave } = createLeaving(base);
    const context: CrawlContext = {
      db,
      clock,
      log,
      measure,
      worker,
      runs,
      openRun,
      storeLocator: storeLocatorOf(config, world),
      queues,
      settings: settingsOf(config, options, world),
      endpointsOf: options.endpointsOf ?? endpointsOf,
      concurrency: config.requestConcurrency,
      ...upstream,
      keyOf,
      hostOf: async (listing) => (await addressOf(listing)).host,
      probedListings: [...listingsInUse(given.config).keys()],
      ingest: createIngest({
        archive,
        extraFields: config.extraFields,
        onBroken: (...broken) => quarantinePayload(db, ...broken),
      }),
      prune: () => composePruning(base, config.archiveDays),
      findBreakingDrift: composeFirstLook(base, options),
      followers: composeFollowers(base),
      alerts: composeAlerts(base),
      dispatch: (runId) => dispatch(context, runJobs, runId),
      tell,
      leave,
    };
    const warn = limitLines((fields, message) => log.warn(fields, message));
    const error = limitLines((fields, message) => log.error(fields, message));
    const jobEnds = new EventEmitter();
    const workers = startWorkers(store, options.jobs ?? jobs, context, {
      concurrency: regionCodes.length,
      onBug: (job, failure) => logFailure({ warn, error }, job, failure),
      onLostLock: (job) =>
        // The job runs again and repeats nothing that is kept, so that nobody has to act.
        log.info({ job }, 'job lock expired before renewal; the job will run again'),
      onEnd(ended) {
        measure.job(ended);
        jobEnds.emit('end');
      },
    });
    let closing: Promise<void> | null = null;
    return {
      context,
      store,
      simulator,
      /** Registers a listener for runs that this process leaves. Returns a function that removes it. */
      onLeave,
      /** Resolves when one of this process's jobs has ended, after `ms`, or when the signal is aborted. */
      async untilJobEnds(ms: number, signal: AbortSignal): Promise<void> {
        const woken = new AbortController();
        const wake = () => woken.abort();
        jobEnds.once('end', wake);
        signal.addEventListener('abort', wake, { signal: woken.signal });
        await sleep(ms, undefined, { signal: woken.signal }).catch(() => undefined);
        jobEnds.off('end', wake);
        wake();
      },
      close(graceMs: number): Promise<void> {
        closing ??= workers.close(graceMs).finally(() => unwind(closers));
        return closing;
      },
    };
  } catch (error) {
    await unwind(closers);
    throw error;
  }
}

/** Read each time, because the file of a key may change without a restart. */
const keysOf =
  ({ listings }: Config): CrawlContext['keyOf'] =>
  (listing) =>
    keyPrint(listing, listings[listing].key.reveal());

function logFailure(log: Record<'warn' | 'error', ReturnType<typeof limitLines>>, job: string, error: unknown): void {
  const reason = (error as Error).message;
  if (isServerTrouble(error)) log.warn({ job, reason }, 'a job could not reach its server; it will run again');
  else log.error({ job, err: error }, 'a job failed unexpectedly');
}

/** Components that open nights on time and enqueue their work without doing it. */
export type Scheduler = Awaited<ReturnType<typeof composeScheduler>>;

/** Opens the queues without workers, gateway and archive. */
export async function composeScheduler(base: Base, options: CrawlerOptions = {}) {
  const { config, clock, log, db, runs } = base;
  const closers: Closer[] = [];
  const world = await enterWorld(base, options);
  const { store, queues } = await composeQueues(base, closers);
  const settings = settingsOf(config, options, world);
  return {
    store,
    context: { db, clock, log, runs, queues, settings, keyOf: keysOf(config), alerts: composeAlerts(base) },
    close: (): Promise<void> => unwind(closers),
  };
}

import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobs, runJobs } from '../../jobs/index.ts';
import { limitLines } from '../base/limited-lines.ts';
import { regionCodes } from '../base/model/index.ts';
import type { CrawlContext } from '../crawl/context.ts';
import { dispatch } from '../crawl/dispatch.ts';
import { createIngest } from '../crawl/ingest.ts';
import { readMoves } from '../crawl/ledger/listing-moves.ts';
import { createOwnership } from '../crawl/ledger/ownership.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { registerWorker } from '../crawl/ledger/workers.ts';
import { createPausing, type PauseListener } from '../crawl/pausing.ts';
import { startWorkers } from '../crawl/queue/open-queues.ts';
import type { QueueStore } from '../crawl/queue/store.ts';
import { quarantinePayload } from '../crawl/stage/quarantine.ts';
import { isServerTrouble } from '../db/connection-error.ts';
import { isOtherKeyAtWork, keyPrint } from '../gateway/limits/key-print.ts';
import type { Simulator } from '../simulator/index.ts';
import { endpointsOf } from '../source/endpoints/index.ts';
import { composeAddresses } from './compose/addresses.ts';
import { composeAlerts } from './compose/alerts.ts';
import { composeFirstLook, composePruning, composeStaging, openArchive } from './compose/archive.ts';
import { type Closer, unwind } from './compose/closers.ts';
import type { Base } from './compose/data.ts';
import { composeFollowers } from './compose/followers.ts';
import { composeQueues } from './compose/queue.ts';
import { type CrawlerOptions, settingsOf } from './compose/settings.ts';
import { composeStores } from './compose/stores.ts';
import { composeUpstream } from './compose/upstream.ts';
import { enterWorld, playWorld } from './compose/world.ts';
import { askedListings } from './config/asked-listings.ts';

export { composeAddresses } from './compose/addresses.ts';
export { archiveAsFound, composePruning, composeReplay, composeStaging } from './compose/archive.ts';
export { type Base, compose, type OpenDatabase, openDatabase } from './compose/data.ts';
export { composeExporter, composeFollowers, isBucketUrl } from './compose/followers.ts';
export { openStore } from './compose/queue.ts';
export { type CrawlerOptions, settingsOf } from './compose/settings.ts';

/** Components of crawling: workers, queues, gateway, archive and, if nothing is configured, the simulator. */
export interface Crawler {
  readonly context: CrawlContext;
  readonly store: QueueStore;
  readonly simulator: Simulator | null;
  /** Registers a listener for runs paused by this process. Returns a function that removes it. */
  onPause(listener: PauseListener): () => void;
  /** Resolves when one of this process's jobs has ended, after `ms`, or when the signal is aborted. */
  untilJobEnds(ms: number, signal: AbortSignal): Promise<void>;
  close(graceMs: number): Promise<void>;
}

/** Opens all components of crawling and starts the workers. */
export async function composeCrawler(given: Base, options: CrawlerOptions = {}): Promise<Crawler> {
  const { clock, log, db, measure, runs, pages, details } = given;
  const closers: Closer[] = [];
  try {
    const world = await enterWorld(given, options);
    const archive = await openArchive(given, closers);
    const { config, simulator } = await playWorld(given, world, options, closers);
    const base: Base = { ...given, config };
    const addressOf = composeAddresses(base);
    const upstream = composeUpstream(base, addressOf, archive, closers);

    // The simulator serves the date of the run that sends the request, even after midnight.
    const showDateOf: (run: Run) => void = ({ region, snapshotDate }) =>
      simulator?.change({ dates: { [region]: snapshotDate } });
    const ownership = createOwnership(
      { db, runs, log, onTake: showDateOf, moves: await readMoves(db) },
      { world, clock },
    );
    const { store, queues } = await composeQueues(base, ownership.words, closers);
    const print = keyPrint('grocery', config.listings.grocery.key.reveal());
    const worker = await registerWorker(db, clock, { pid: process.pid, command: base.command, key: print });
    closers.push(() => worker.close());

    const { pause, pauseAfterFailure, tell, onPause, isStandingAside, untilItReturns, leave } = createPausing(
      base,
      () => isOtherKeyAtWork(db, { listing: 'grocery', print, now: clock.now() }),
    );
    const context: CrawlContext = {
      db,
      clock,
      log,
      measure,
      workerId: worker.workerId,
      runs,
      ownership,
      pages,
      details,
      ...composeStores(base, world),
      queues,
      settings: settingsOf(config, options, world),
      endpointsOf: options.endpointsOf ?? endpointsOf,
      concurrency: config.requestConcurrency,
      healthProbes: new Map(),
      ...upstream,
      hostOf: async (listing) => (await addressOf(listing)).host,
      probedListings: askedListings(given.config),
      ingest: createIngest({ archive, onBroken: quarantinePayload(db) }),
      isStandingAside,
      untilItReturns,
      restageIfBaseMoved: composeStaging(base, options),
      prune: () => composePruning(base)(config.archiveDays),
      findBreakingDrift: composeFirstLook(base, options),
      followers: composeFollowers(base),
      alerts: composeAlerts(base),
      dispatch: (runId) => dispatch(context, runJobs, runId),
      pause,
      pauseAfterFailure,
      tell,
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
      onPause,
      async untilJobEnds(ms, signal) {
        const woken = new AbortController();
        const wake = () => woken.abort();
        jobEnds.once('end', wake);
        signal.addEventListener('abort', wake, { signal: woken.signal });
        await sleep(ms, undefined, { signal: woken.signal }).catch(() => undefined);
        jobEnds.off('end', wake);
        wake();
      },
      close(graceMs) {
        leave();
        closing ??= workers.close(graceMs).then(() => unwind(closers));
        return closing;
      },
    };
  } catch (error) {
    await unwind(closers);
    throw error;
  }
}

function logFailure(log: Record<'warn' | 'error', ReturnType<typeof limitLines>>, job: string, error: unknown): void {
  const reason = (error as Error).message;
  if (isServerTrouble(error)) log.warn({ job, reason }, 'a job could not reach its server; it will run again');
  else log.error({ job, err: error }, 'a job failed unexpectedly');
}

/** Components that open nights on time and enqueue their work without doing it. */
export interface Scheduler {
  readonly store: QueueStore;
  readonly context: Pick<
    CrawlContext,
    'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'queues' | 'settings' | 'alerts'
  >;
  close(): Promise<void>;
}

/** Opens the queues without workers, gateway and archive. */
export async function composeScheduler(base: Base, options: CrawlerOptions = {}): Promise<Scheduler> {
  const { config, clock, log, db, runs } = base;
  const closers: Closer[] = [];
  const world = await enterWorld(base, options);
  const ownership = createOwnership({ db, runs, log, moves: await readMoves(db) }, { world, clock });
  const { store, queues } = await composeQueues(base, ownership.words, closers);
  const settings = settingsOf(config, options, world);
  return {
    store,
    context: { db, clock, log, runs, ownership, queues, settings, alerts: composeAlerts(base) },
    close: () => unwind(closers),
  };
}

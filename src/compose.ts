import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { jobs, runJobs } from '../jobs/index.ts';
import { noArchive } from './archive/archive.ts';
import { createFileArchive } from './archive/file-archive.ts';
import { type Pruned, pruneArchive } from './archive/prune.ts';
import type { Clock } from './clock.ts';
import { atBook } from './config/book-home.ts';
import { defaultItems, defaultSeed, itemsBeforeRecorded } from './config/simulated.ts';
import { atSimulator, type Config, worldOf } from './config.ts';
import type { CrawlContext, CrawlSettings } from './crawl/context.ts';
import { dispatch } from './crawl/dispatch.ts';
import { createDatabase, type Database } from './db/client.ts';
import { isConnectionError, isServerTrouble } from './db/connection-error.ts';
import { openEmbedded } from './db/embedded/open-embedded.ts';
import { migrate } from './db/migrate.ts';
import { ensureQueueDatabase } from './db/queue-database.ts';
import { endpointsOf, type RegionEndpoints } from './endpoints/index.ts';
import { HomeUnusable } from './errors.ts';
import { createExporter, type Exporter } from './export/exporter.ts';
import { openDestination } from './export/open-destination.ts';
import { createGateway } from './gateway/client.ts';
import { createIngest } from './ingest.ts';
import { createDetails, type Details } from './ledger/details.ts';
import { type Folded, foldLedger } from './ledger/fold.ts';
import { createPackIndex } from './ledger/forget-payloads.ts';
import { createOwnership, type Ownership } from './ledger/ownership.ts';
import { createPages, type Pages } from './ledger/pages.ts';
import { createPayloadIndex } from './ledger/payloads.ts';
import { recordFailure } from './ledger/run-life.ts';
import { createRuns, type Runs } from './ledger/runs.ts';
import { registerWorker } from './ledger/workers.ts';
import { settleWorld, simulatedBefore } from './ledger/worlds.ts';
import { createSpend } from './limits/spend.ts';
import { listings } from './listings/index.ts';
import type { Log } from './log.ts';
import type { RegionCode, World } from './model/index.ts';
import { coalesce } from './queue/coalesce.ts';
import type { AnyJob } from './queue/define-job.ts';
import { openQueues, startWorkers } from './queue/open-queues.ts';
import { pausedUntil } from './queue/paused-until.ts';
import { scopedStore } from './queue/scoped-store.ts';
import { createPostgresStore, createRedisStore, type QueueStore } from './queue/store.ts';
import type { ReplayNeeds } from './replay/replay-archive.ts';
import { stagedOnBase } from './replay/stage-again.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator/index.ts';
import { createPageStage, type StagedRun } from './stage/category-page.ts';
import { createDetailStage } from './stage/detail.ts';
import { quarantinePayload } from './stage/quarantine.ts';
import { readCategoryNos } from './stage/taxonomy.ts';

/** What every command stands on: the database, migrated, and the ledgers. */
export interface Base {
  /** With the folder of the book that is open as `home`. */
  readonly config: Config;
  /** The command it was opened for. */
  readonly command: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly runs: Runs;
  readonly pages: Pages;
  readonly details: Details;
  /** Closes what was opened, last first. */
  close(): Promise<void>;
}

/** What crawls: workers on queues, the gateway, the archive, and the simulator where nothing else is configured. */
export interface Crawler {
  readonly context: CrawlContext;
  readonly store: QueueStore;
  readonly simulator: Simulator | null;
  /** Hears why a run was paused by this process. */
  onPause(listener: (runId: number, why: Error) => void): void;
  close(graceMs: number): Promise<void>;
}

type Closer = () => Promise<unknown>;

/** The database as it is found, whatever its schema. */
export interface OpenDatabase {
  /** With the folder of the book that was opened as `home`. */
  readonly config: Config;
  readonly db: Database;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Opens the database, the configured one or the embedded server, and leaves it as it is. */
export async function openDatabase(given: Config, { log, name }: { log: Log; name: string }): Promise<OpenDatabase> {
  const closers: Closer[] = [];
  const config = await atBook(given, log);
  const databaseUrl = config.databaseUrl?.reveal() ?? (await openEmbeddedDatabase(config, log, closers));
  const db = createDatabase({ url: databaseUrl, applicationName: `pricebook ${name}`, max: 12, log });
  closers.push(() => db.end());
  return { config, db, databaseUrl, close: () => unwind(closers) };
}

/** Opens the database and brings its schema to what this program knows. */
export async function compose(
  given: Config,
  { clock, log, name }: { clock: Clock; log: Log; name: string },
): Promise<Base> {
  const { config, db, databaseUrl, close } = await openDatabase(given, { log, name });
  try {
    await migrate(db, { log });
    return {
      config,
      command: name,
      clock,
      log,
      db,
      databaseUrl,
      runs: createRuns(db),
      pages: createPages(db),
      details: createDetails(db),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface CrawlerOptions {
  /** Details a scheduled region-night may ask for. */
  readonly maxDetails?: number;
  /** How the simulator is set up where it plays the upstream. */
  readonly simulator?: SimulatorOptions;
  /** The live listing may have moved to another host since it was crawled last. */
  readonly acceptNewHost?: boolean;
  /** After how long a job that is not done is handed to the queue again, in case the queue lost it (15 s). */
  readonly requeueAfterMs?: number;
  /** Rest before a unit's second attempt (1 s). */
  readonly firstRestMs?: number;
  /** Rest between two looks at what a run needs next (100 ms). */
  readonly dispatchEveryMs?: number;
  /** What is asked and how answers are read; by default what the program knows. */
  readonly endpointsOf?: Readonly<Record<RegionCode, RegionEndpoints>>;
  /** What its workers do; by default everything. */
  readonly jobs?: readonly AnyJob<CrawlContext>[];
}

/** Opens all that crawling takes and starts the workers. */
export async function composeCrawler(base: Base, options: CrawlerOptions = {}): Promise<Crawler> {
  const { clock, log, db, databaseUrl, runs, pages, details } = base;
  const closers: Closer[] = [];
  try {
    const world = await enterWorld(base, options);
    await makeArchiveFolder(base.config);
    const simulator =
      world.kind === 'simulated'
        ? await createSimulator({ ...options.simulator, seed: world.seed, items: world.items, now: () => clock.now() })
        : null;
    if (simulator) closers.push(() => simulator.close());
    const config = simulator ? atSimulator(base.config, simulator.url) : base.config;

    const spend = createSpend({
      db,
      listings: config.listings,
      clock,
      onTrouble: (error) => log.warn({ err: error }, 'request outcomes could not be written yet'),
    });
    closers.push(() => spend.close());
    const archive =
      config.archive === 'off'
        ? noArchive
        : createFileArchive({ root: archiveOf(config), index: createPayloadIndex(db), keepDays: config.archiveDays });
    closers.push(() => archive.close());
    const gateway = createGateway({
      listings: config.listings,
      headerPrefix: config.headerPrefix,
      concurrency: config.requestConcurrency,
      timeoutMs: config.requestTimeoutMs,
      spend,
      clock,
      onUnreadable: (payload) => archive.put(payload, null),
      onRetry: ({ question, waitMs, reason }) =>
        log.info({ endpoint: question.endpoint, waitMs, reason }, 'asking again'),
    });
    closers.push(() => gateway.close());

    const ownership = createOwnership(
      {
        db,
        runs,
        log,
        // The simulator shows the date of the run that asks, also when midnight has passed since it was opened.
        onTake: ({ region, snapshotDate }) => simulator?.change({ dates: { [region]: snapshotDate } }),
      },
      { world, clock },
    );
    const store = scopedStore(await openStore(config, databaseUrl, log), ownership.words);
    closers.push(() => store.close());
    const worker = await registerWorker(db, clock, { pid: process.pid, command: base.command });
    closers.push(() => worker.close());

    const settings = settingsOf(config, options);
    const pauseListeners: ((runId: number, why: Error) => void)[] = [];
    const queues = openQueues<CrawlContext>(store);
    const context: CrawlContext = {
      db,
      clock,
      log,
      workerId: worker.workerId,
      runs,
      ownership,
      pages,
      details,
      queues,
      settings,
      endpointsOf: options.endpointsOf ?? endpointsOf,
      inHand: new Set(),
      healthProbes: new Map(),
      ask: (endpoint, params, runId, signal, as) =>
        gateway.ask(
          {
            listing: endpoint.listing,
            endpoint: endpoint.name,
            region: endpoint.region,
            paths: endpoint.paths,
            query: endpoint.query(params),
            runId,
            isHealthProbe: as === 'health-probe',
          },
          { signal },
        ),
      ingest: createIngest({ archive, onBroken: quarantinePayload(db) }),
      stagePage: createPageStage(db),
      stageDetail: createDetailStage(db),
      stagedRun: createStagedRuns(db, ownership),
      prune: () => composePruning(base)(config.archiveDays),
      fold: (signal) => composeFolding(base)(config.ledgerDays, signal),
      exporter: composeExporter({ ...base, config }, config.exportTo),
      dispatch: coalesce((runId: number) => dispatch(context, runJobs, runId), options.dispatchEveryMs ?? 100),
      async pause(runId, why, during) {
        log.info({ run: runId, reason: why.message }, 'the run waits');
        await runs.pause(runId, why.message, pausedUntil(why, clock.now()), during);
        for (const listener of pauseListeners) listener(runId, why);
      },
      async rest({ runId, epoch }, why) {
        const failures = await recordFailure(db, { runId, epoch }, { why: why.message, now: clock.now() });
        log.warn({ run: runId, reason: why.message, failures }, 'the run rests after a failure');
        for (const listener of pauseListeners) listener(runId, why);
      },
      stagedOnBase: composeStaging(base, options),
    };
    const workers = startWorkers(store, options.jobs ?? jobs, context, {
      onBug: (job, error) =>
        isServerTrouble(error)
          ? log.warn(
              { job, reason: (error as Error).message },
              'a job could not use its server; it will be given again',
            )
          : log.error({ job, err: error }, 'a job failed unexpectedly'),
    });
    let closing: Promise<void> | null = null;
    return {
      context,
      store,
      simulator,
      onPause: (listener) => pauseListeners.push(listener),
      close(graceMs) {
        closing ??= workers.close(graceMs).then(() => unwind(closers));
        return closing;
      },
    };
  } catch (error) {
    await unwind(closers);
    throw error;
  }
}

/** What replaying takes: the archive, whether or not it is written now, and no gateway and no queue. */
export function composeReplay(
  { config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>,
  options: Pick<CrawlerOptions, 'endpointsOf'> = {},
): ReplayNeeds {
  return {
    db,
    clock,
    archive: createFileArchive({ root: archiveOf(config), index: createPayloadIndex(db) }),
    endpointsOf: options.endpointsOf ?? endpointsOf,
    settings: settingsOf(config, {}),
  };
}

/** What stages a run again from the archive, where the catalogue has changed since it was staged. */
export function composeStaging(
  { config, db, runs }: Pick<Base, 'config' | 'db' | 'runs'>,
  options: Pick<CrawlerOptions, 'endpointsOf'> = {},
): CrawlContext['stagedOnBase'] {
  const archive = createFileArchive({ root: archiveOf(config), index: createPayloadIndex(db) });
  const needs = { db, runs, archive, endpointsOf: options.endpointsOf ?? endpointsOf };
  return (run, signal) => stagedOnBase(needs, run, signal);
}

/** What writes nights as files to a folder or a bucket; null: nowhere. */
export function composeExporter(
  { config, clock, log, db }: Pick<Base, 'config' | 'clock' | 'log' | 'db'>,
  to: string | null,
): Exporter | null {
  if (to === null) return null;
  return createExporter({ db, clock, log, home: config.home, destination: openDestination(to, config.bucketAccess) });
}

/** Forgets archived payloads older than some days. */
export function composePruning({ config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>) {
  return (days: number): Promise<Pruned> =>
    pruneArchive({ root: archiveOf(config), index: createPackIndex(db) }, clock.now(), days);
}

/** Folds pages, details and payloads of runs that are older than some days (0: none). */
export function composeFolding({ clock, db }: Pick<Base, 'clock' | 'db'>) {
  return async (days: number, signal?: AbortSignal): Promise<Folded> => {
    if (days === 0) return { runs: 0, rows: 0 };
    const before = new Date(clock.now().getTime() - days * dayMs);
    return foldLedger(db, signal ? { before, signal } : { before });
  };
}

const dayMs = 86_400_000;

const archiveOf = ({ home }: Config): string => join(home, 'archive');

/** What opens nights on time and hands their work to the queues, but does none of it. */
export interface Scheduler {
  readonly context: Pick<
    CrawlContext,
    'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'pages' | 'details' | 'queues' | 'settings'
  >;
  close(): Promise<void>;
}

/** Opens the queues without workers, gateway and archive. */
export async function composeScheduler(base: Base, options: CrawlerOptions = {}): Promise<Scheduler> {
  const { config, clock, log, db, databaseUrl, runs, pages, details } = base;
  const ownership = createOwnership({ db, runs, log }, { world: await enterWorld(base, options), clock });
  const store = scopedStore(await openStore(config, databaseUrl, log), ownership.words);
  const queues = openQueues<CrawlContext>(store);
  const settings = settingsOf(config, options);
  return { context: { db, clock, log, runs, ownership, pages, details, queues, settings }, close: () => store.close() };
}

/** How the simulator was set up when books did not record it. */
const unrecorded = { seed: defaultSeed, items: itemsBeforeRecorded };

/** The world this installation crawls, once the database is known to be about it. Throws `OtherWorld`. */
async function enterWorld({ config, db, clock }: Base, options: CrawlerOptions): Promise<World> {
  const begun = config.upstream === 'simulator' ? await simulatedBefore(db, unrecorded) : null;
  const { seed = begun?.seed ?? defaultSeed, items = begun?.items ?? defaultItems } = options.simulator ?? {};
  const world = worldOf(config, { seed, items });
  const { acceptNewHost = false } = options;
  // Without an address nothing can be crawled; whoever tries is told so.
  if (world.kind === 'live' && world.baseUrl === null) return world;
  await settleWorld(db, { world, now: clock.now(), acceptNewHost, waysOut: waysOut(config) });
  return world;
}

/** How another book is opened, or this one emptied. */
function waysOut({ databaseUrl }: Config): string {
  return databaseUrl
    ? 'DATABASE_URL of another database keeps both; `pricebook reset --yes --database` empties this one.'
    : 'PRICEBOOK_HOME of another folder keeps both; `pricebook reset --yes` empties this one.';
}

/** Before anything is asked: payloads must have somewhere to go. Throws `HomeUnusable`. */
async function makeArchiveFolder(config: Config): Promise<void> {
  if (config.archive === 'off') return;
  try {
    await mkdir(archiveOf(config), { recursive: true });
    await access(archiveOf(config), constants.W_OK);
  } catch (error) {
    throw HomeUnusable.of(config.home, error) ?? error;
  }
}

/** The queues' server: Redis when configured, otherwise PostgreSQL. */
export async function openStore(config: Config, databaseUrl: string, log: Log): Promise<QueueStore> {
  if (config.redisUrl) return createRedisStore(config.redisUrl.reveal(), log);
  const url = await ensureQueueDatabase(databaseUrl, config.queueDatabaseUrl?.reveal());
  return createPostgresStore(url, log, { maxWorkers: jobs.length, isConnectionError });
}

/** What jobs need to know of the configuration. */
export function settingsOf(
  config: Config,
  { maxDetails = 200, requeueAfterMs = 15_000, firstRestMs = 1_000 }: CrawlerOptions = {},
): CrawlSettings {
  return {
    requestsPerSecond: config.listings.grocery.requestsPerSecond,
    maxDetails,
    certify: config.certify,
    delist: config.delist,
    requeueAfterMs,
    firstRestMs,
    categoryIdMaxLength: listings.grocery.categoryIdMaxLength!,
  };
}

/** Runs with their taxonomy's ranks, read once per run and process. */
function createStagedRuns(db: Database, ownership: Ownership): CrawlContext['stagedRun'] {
  const cache = new Map<number, Promise<ReadonlyMap<string, number>>>();
  return async (runId) => {
    const run = await ownership.take(runId);
    if (!run) {
      cache.delete(runId);
      return null;
    }
    let categoryNos = cache.get(runId);
    if (!categoryNos) {
      categoryNos = readCategoryNos(db, runId);
      cache.set(runId, categoryNos);
      // What could not be read is asked again.
      categoryNos.catch(() => cache.delete(runId));
    }
    const staged: StagedRun = { runId, epoch: run.epoch, region: run.region, categoryNos: await categoryNos };
    return { ...staged, run };
  };
}

async function openEmbeddedDatabase(config: Config, log: Log, closers: Closer[]): Promise<string> {
  const server = await openEmbedded({ home: config.home, log });
  closers.push(() => server.close());
  return server.url;
}

/** Every closer runs, the last opened first; the first failure is reported after all have run. */
async function unwind(closers: Closer[]): Promise<void> {
  let failure: unknown = null;
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch((error) => (failure ??= error));
  if (failure) throw failure;
}

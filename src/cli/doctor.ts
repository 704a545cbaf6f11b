import { statfs } from 'node:fs/promises';
import { packsOf } from '../app/compose/archive.ts';
import { type Closer, unwind } from '../app/compose/closers.ts';
import { composeUpstream } from '../app/compose/upstream.ts';
import { composeAddresses, openDatabase, openStore } from '../app/compose.ts';
import type { Config, ConfiguredListing } from '../app/config.ts';
import { listingsInUse } from '../app/listings-in-use.ts';
import { readClockDifference } from '../app/watch-clock.ts';
import { bucketLimits } from '../base/bucket.ts';
import { systemClock } from '../base/clock.ts';
import { ConfigInvalid, HomeUnusable } from '../base/errors.ts';
import { plural } from '../base/format.ts';
import { makeFolder } from '../base/make-folder.ts';
import { noArchive } from '../crawl/archive/archive.ts';
import type { CrawlContext } from '../crawl/context.ts';
import { askForProbe } from '../crawl/probe.ts';
import type { Database } from '../db/client.ts';
import { readPending } from '../db/migrate.ts';
import { checkInvariants, invariants } from '../followers/audits/invariants.ts';
import { probeNow } from '../gateway/limits/stops.ts';
import { using } from './closing.ts';
import type { Invocation } from './define-verb.ts';
import { explainRefusal } from './explain-refusal.ts';
import { typedName } from './listings.ts';
import { withBase, withGateway } from './with-base.ts';

/** Result of a check. An `error` prevents the program from working, a `warning` may do so later. */
export interface Diagnosis {
  readonly level: 'ok' | 'warning' | 'error';
  /** Subject of the check, one or two words. */
  readonly about: string;
  /** One line: the result and what to do about it. */
  readonly says: string;
  /** Exit code of the command; 0 unless it is an error. */
  readonly exitCode: number;
}

/** Free space below which a night does not fit. */
const leastBytes = 512 * 2 ** 20;
/** Clock skew in milliseconds above which claims and rate limits shift noticeably. */
const skewLimitMs = 2_000;
/** Shorter than that of a crawl, because somebody waits for the answer. */
const bucketPatienceMs = 5_000;

const fine = (about: string, says: string): Diagnosis => ({ level: 'ok', about, says, exitCode: 0 });

const warning = (about: string, says: string): Diagnosis => ({ level: 'warning', about, says, exitCode: 0 });

/** Messages of all errors that checks may meet explain themselves. */
function failure(about: string, error: unknown): Diagnosis {
  const { message, exitCode = 1 } = error as { message?: string; exitCode?: number };
  const says = (message ?? String(error)).replace(/\s*\n\s*/g, ' ');
  // Exit codes that scripts distinguish: configuration, a limit, an unreachable server.
  return { level: 'error', about, says, exitCode: [78, 75, 69].includes(exitCode) ? exitCode : 1 };
}

/** The result of a check, or the error that it threw. */
async function check(about: string, look: () => Promise<string | Diagnosis>): Promise<Diagnosis> {
  try {
    const found = await look();
    return typeof found === 'string' ? fine(about, found) : found;
  } catch (error) {
    return failure(about, error);
  }
}

/** Runs all checks in order. A failed check skips only the checks that depend on it. */
export async function examine(invocation: Invocation, { ask }: { readonly ask: boolean }): Promise<Diagnosis[]> {
  try {
    const { config } = invocation;
    const found = await examineDatabase(invocation);
    const isInOrder = found.every(({ level, about }) => level === 'ok' || about === 'clock');
    const upstream = ask && isInOrder ? await askListings(invocation) : notAsked(config, ask);
    const proxies = config.unusedProxies.map((name) =>
      warning('proxy', `${name} is set and not used: requests go directly`),
    );
    return [fine('configuration', 'all variables are valid'), ...found, checkGateway(config), ...proxies, ...upstream];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.issues.map((message) => failure('configuration', { message, exitCode: error.exitCode }));
  }
}

function notAsked({ upstream }: Config, wanted: boolean): Diagnosis[] {
  if (wanted)
    return [warning('upstream', 'not checked: requests are counted in the database, which must be in order first')];
  return upstream === 'gateway' ? [fine('upstream', 'not checked; --ask sends one request to each listing')] : [];
}

/** Checks all invariants of the database. Read-only, without upstream requests. */
export function checkData({ name, config, log }: Invocation): Promise<Diagnosis[]> {
  return using(openDatabase(config, { log, name }), async ({ db }) => {
    if ((await readPending(db)).isNew)
      return [failure('schema', new Error('The schema does not exist yet; run `pricebook migrate` first.'))];
    const violations = await checkInvariants(db);
    if (violations.length === 0) return [fine('data', `all ${invariants.length} invariants hold`)];
    return violations.map(({ says, found, samples }) =>
      failure('data', new Error(`violated: ${says}; ${plural(found, 'violation')}, such as ${samples[0]}`)),
    );
  });
}

async function examineDatabase({ name, config, log }: Invocation): Promise<Diagnosis[]> {
  try {
    return await using(openDatabase(config, { log, name }), async ({ db, databaseUrl, config: opened }) => [
      ...(await checkFolders(opened)),
      fine('database', 'PostgreSQL answers'),
      await check('schema', () => checkSchema(db)),
      await checkClock(db),
      await check('queues', () =>
        using(openStore(config, databaseUrl, log), async ({ kind }) =>
          kind === 'redis' ? 'Redis answers' : 'PostgreSQL answers',
        ),
      ),
    ]);
  } catch (error) {
    return [...(await checkFolders(config)), failure('database', error)];
  }
}

async function checkFolders(config: Config): Promise<Diagnosis[]> {
  const { home } = config;
  try {
    makeFolder(home);
  } catch (error) {
    return [failure('data folder', HomeUnusable.of(home, error) ?? error)];
  }
  return [
    await check('disk', async () => {
      const { bavail, bsize } = await statfs(home);
      const free = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free below ${home}`;
      if (bavail * bsize < leastBytes) throw new Error(`only ${free}: a night does not fit`);
      return free;
    }),
    await check('archive', async () => {
      const packs = packsOf(config, null, { ...bucketLimits, patienceMs: bucketPatienceMs });
      await packs.check();
      return `${packs.name} can be written and read`;
    }),
  ];
}

async function checkSchema(db: Database): Promise<string | Diagnosis> {
  const { isNew, hasNewObjects } = await readPending(db);
  if (!hasNewObjects) return 'up to date';
  const what = isNew ? 'does not exist yet' : 'functions and views are older than this program';
  return warning('schema', `${what}; any command updates it, or \`pricebook migrate\``);
}

/** Compares the system clock, not `--now`, because claims and rate limits of all machines use the database's clock. */
async function checkClock(db: Database): Promise<Diagnosis> {
  const { skewMs } = await readClockDifference(db, systemClock);
  if (skewMs <= skewLimitMs) return fine('clock', "agrees with the database's");
  return warning('clock', `differs from the database's by ${(skewMs / 1_000).toFixed(1)} s; synchronise both by NTP`);
}

/** Configuration of the grocery listing, without a request. */
function checkGateway({ upstream, listings }: Config): Diagnosis {
  const { baseUrl, requestsPerSecond, monthlyQuota, keyVariable } = listings.grocery;
  if (upstream === 'simulator') return fine('gateway', 'none is configured: the simulator is used');
  if (baseUrl === null) return warning('gateway', 'GROCERY_BASE_URL is not set: there is nothing to crawl');
  const pace = requestsPerSecond === 0 ? 'any number of requests' : plural(requestsPerSecond, 'request');
  const quota = monthlyQuota === null ? ', as many in a month as its headers allow' : '';
  return fine('gateway', `${baseUrl}, key from ${keyVariable}, ${pace} a second${quota}`);
}

/** Sends one request to each configured listing to check host and key. The request counts like any other. */
async function askListings(invocation: Invocation): Promise<Diagnosis[]> {
  const { config, signal } = invocation;
  try {
    if (config.upstream === 'simulator')
      return await withGateway(invocation, async (context) => [
        await askListing(context, config.listings.grocery, signal),
      ]);
    // The world of the database is not recorded, because the configured host may be wrong.
    return await withBase(invocation, async (base) => {
      const closers: Closer[] = [];
      try {
        const addressOf = composeAddresses(base);
        const { ask } = composeUpstream(base, addressOf, noArchive, closers);
        const asking: Asking = { ask, hostOf: async (listing) => (await addressOf(listing)).host };
        const found: Diagnosis[] = [];
        await probeNow(base.db, [...listingsInUse(config).keys()]);
        for (const listing of listingsInUse(config).values()) found.push(await askListing(asking, listing, signal));
        return found;
      } finally {
        await unwind(closers);
      }
    });
  } catch (error) {
    return [failure('upstream', error)];
  }
}

type Asking = Pick<CrawlContext, 'ask' | 'hostOf'>;

async function askListing(context: Asking, configured: ConfiguredListing, signal: AbortSignal): Promise<Diagnosis> {
  const { name } = configured;
  const about = name === 'grocery' ? 'upstream' : typedName(name);
  try {
    const { payload } = await askForProbe(context, name, signal);
    return fine(about, `answers at ${payload.host} and accepts the key`);
  } catch (error) {
    signal.throwIfAborted();
    const found = failure(about, error);
    const explained = explainRefusal(error, configured, await context.hostOf(name));
    const says = explained === null ? found.says : `${typedName(name)}: ${explained}`;
    // Crawling needs only the grocery listing; others are warnings.
    return name === 'grocery' ? { ...found, says } : warning(about, says);
  }
}

import { statfs } from 'node:fs/promises';
import { packsOf } from '../../app/compose/archive.ts';
import { openDatabase, openStore } from '../../app/compose.ts';
import type { Config } from '../../app/config.ts';
import { systemClock } from '../../base/clock.ts';
import { ConfigInvalid, HomeUnusable, PricebookError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { regionCodes } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { readPending } from '../../db/migrate.ts';
import { findReaders } from '../../db/reader-role.ts';
import { rowsOf } from '../../db/rows.ts';
import { checkInvariants } from '../../followers/audits/invariants/check-invariants.ts';
import { countNightsOwed } from '../../followers/derive/owed-nights.ts';
import { bucketLimits } from '../../gateway/bucket.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { warningsOf } from '../listings/listing-words.ts';
import { readListingOverviews } from '../listings/read-listings.ts';
import { nightsOwed } from '../nights-owed.ts';
import { count } from '../output/words.ts';
import { askListings } from './ask-listings.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';

/** Free space below which a night does not fit. */
const leastBytes = 512 * 2 ** 20;
/** Clock skew in milliseconds above which leases and rate limits shift noticeably. */
const skewLimitMs = 2_000;
/** Shorter than that of a crawl, because somebody waits for the answer. */
const bucketPatienceMs = 5_000;

/** Runs all checks in order. A failed check skips only the checks that depend on it. */
export async function* examine(invocation: Invocation, { ask }: { readonly ask: boolean }): AsyncGenerator<Diagnosis> {
  let config: Config;
  try {
    config = invocation.config;
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    for (const issue of error.issues) yield failure('configuration', { message: issue, exitCode: error.exitCode });
    return;
  }
  yield fine('configuration', 'all variables are valid');
  const found = await examineDatabase(invocation);
  yield* found;
  yield* checkGateway(config);
  if (!ask) {
    if (config.upstream === 'gateway') yield fine('upstream', 'not checked; --ask sends one request to each listing');
  } else if (
    found.some(({ level, about }) => level !== 'ok' && !['clock', 'derived', 'readers', 'host'].includes(about))
  ) {
    yield warning('upstream', 'not checked: requests are counted in the database, which must be in order first');
  } else yield* askListings(invocation);
}

/** Checks all invariants of the database. Read-only, without upstream requests. */
export async function checkData({ config, log }: Invocation): Promise<Diagnosis[]> {
  return using(openDatabase(config, { log, name: 'doctor' }), async ({ db }) => {
    if ((await readPending(db)).isNew)
      return [failure('schema', new Error('The schema does not exist yet; run `pricebook migrate` first.'))];
    const { checked, violations } = await checkInvariants(db);
    if (violations.length === 0) return [fine('data', `all ${checked} invariants hold`)];
    return violations.map(({ group, says, isAtRest, found, samples }) => {
      const violated = `${count(found)} ${found === 1 ? 'violation' : 'violations'}`;
      const what = `violated: ${says}; ${violated}, such as ${samples[0]}`;
      return isAtRest
        ? warning(group, `${what} (a run is open or was killed; the next crawl continues it)`)
        : failure(group, new Error(what));
    });
  });
}

async function examineDatabase({ config, clock, log }: Invocation): Promise<Diagnosis[]> {
  try {
    return await using(openDatabase(config, { log, name: 'doctor' }), async ({ db, databaseUrl, config: opened }) => {
      const schema = await checkSchema(db);
      const isUpToDate = schema.level === 'ok';
      return [
        ...(await checkFolders(opened)),
        fine('database', 'PostgreSQL answers'),
        schema,
        ...(isUpToDate ? [await checkDerived(db), ...(await checkReaders(db))] : []),
        await checkClock(db),
        await checkQueues(config, databaseUrl, log),
        ...(isUpToDate ? (await readListingOverviews({ config: opened, db, clock })).flatMap(warningsOf) : []).map(
          (says) => warning('host', says),
        ),
      ];
    });
  } catch (error) {
    return [...(await checkFolders(config)), failure('database', error)];
  }
}

/** Checks the data folder, disk space and the archive. */
async function checkFolders(config: Config): Promise<Diagnosis[]> {
  const { home } = config;
  try {
    makeFolder(home);
    const archive = await checkArchive(config);
    const { bavail, bsize } = await statfs(home);
    const free = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free below ${home}`;
    const isEnough = bavail * bsize >= leastBytes;
    return [isEnough ? fine('disk', free) : failure('disk', new Error(`only ${free}: a night does not fit`)), archive];
  } catch (error) {
    return [failure('data folder', HomeUnusable.of(home, error) ?? error)];
  }
}

async function checkArchive(config: Config): Promise<Diagnosis> {
  const packs = packsOf(config, null, { ...bucketLimits, patienceMs: bucketPatienceMs });
  try {
    await packs.check();
    return fine('archive', `${packs.name} can be written and read`);
  } catch (error) {
    if (error instanceof PricebookError) return failure('archive', error);
    throw error;
  }
}

async function checkSchema(db: Database): Promise<Diagnosis> {
  try {
    const { isNew, hasNewObjects } = await readPending(db);
    if (!hasNewObjects) return fine('schema', 'up to date');
    const what = isNew ? 'does not exist yet' : 'functions and views are older than this program';
    return warning('schema', `${what}; any command updates it, or \`pricebook migrate\``);
  } catch (error) {
    return failure('schema', error);
  }
}

async function checkDerived(db: Database): Promise<Diagnosis> {
  let nights = 0;
  for (const region of regionCodes) nights += await countNightsOwed(db, region);
  if (nights === 0) return fine('derived', 'every certified night, with the rules of this version');
  return warning('derived', nightsOwed(nights));
}

/** Checks that logins of analysts cannot hold resources for long or write by mistake. */
async function checkReaders(db: Database): Promise<Diagnosis[]> {
  const readers = await findReaders(db);
  const unguarded = readers.filter(({ remedies }) => remedies.length > 0);
  if (unguarded.length > 0)
    return unguarded.map(({ login, remedies }) =>
      warning('readers', `${login} lacks limits, which no login inherits; as a superuser: ${remedies.join('; ')}`),
    );
  const names = readers.map(({ login }) => login).join(', ');
  return names === '' ? [] : [fine('readers', `read-only and limited in time: ${names}`)];
}

/** Compares the system clock, not `--now`, because leases and rate limits of all machines use the database's clock. */
async function checkClock(db: Database): Promise<Diagnosis> {
  const before = systemClock.now().getTime();
  const [row] = await rowsOf<{ at: Date }>(db, 'select clock_timestamp() as at');
  const middle = (before + systemClock.now().getTime()) / 2;
  const skewMs = Math.abs(row!.at.getTime() - middle);
  if (skewMs <= skewLimitMs) return fine('clock', "agrees with the database's");
  return warning('clock', `differs from the database's by ${(skewMs / 1_000).toFixed(1)} s; synchronise both by NTP`);
}

/** Connects to the queue server and checks its policy; an unusable server is refused. */
async function checkQueues(config: Config, databaseUrl: string, log: Invocation['log']): Promise<Diagnosis> {
  try {
    return await using(openStore(config, databaseUrl, log), async ({ kind }) =>
      fine('queues', kind === 'redis' ? 'Redis answers and drops no jobs' : 'PostgreSQL answers'),
    );
  } catch (error) {
    return failure('queues', error);
  }
}

/** Configuration of the grocery listing, without a request. */
function checkGateway({ upstream, listings }: Config): Diagnosis[] {
  const { baseUrl, requestsPerSecond, monthlyQuota, keyVariable, local } = listings.grocery;
  if (upstream === 'simulator') return [fine('gateway', 'none is configured: the simulator is used')];
  if (baseUrl === null) return [warning('gateway', 'GROCERY_BASE_URL is not set: there is nothing to crawl')];
  const pace = requestsPerSecond === 0 ? 'any number of' : requestsPerSecond;
  const diagnoses = [fine('gateway', `${baseUrl}, key from ${keyVariable}, ${pace} requests a second`)];
  if (monthlyQuota === null && !local) {
    diagnoses.push(
      warning('quota', "GROCERY_MONTHLY_QUOTA is not set: only the upstream's headers limit the requests"),
    );
  }
  return diagnoses;
}

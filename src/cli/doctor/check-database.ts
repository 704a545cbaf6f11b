import { openStore } from '../../app/compose.ts';
import { systemClock } from '../../base/clock.ts';
import { regionCodes } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { readPending } from '../../db/migrate.ts';
import { rowsOf } from '../../db/rows.ts';
import { countNightsOwed } from '../../followers/derive/owed-nights.ts';
import type { Invocation } from '../define-verb.ts';
import { nightsOwed } from '../nights-owed.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';

/** Clock skew in milliseconds above which leases and rate limits shift noticeably. */
const skewLimitMs = 2_000;

/** Checks version, schema and clock of a reachable database. */
export async function checkDatabase(db: Database): Promise<Diagnosis[]> {
  const [server] = await rowsOf<{ version: string; zones: boolean }>(
    db,
    `select current_setting('server_version') as version,
       (select count(*) = 2 from pg_timezone_names where name in ('Europe/London', 'Europe/Dublin')) as zones`,
  );
  const diagnoses = [fine('database', `PostgreSQL ${server!.version} answers`)];
  if (!server!.zones) {
    diagnoses.push(
      failure('database', new Error('The server lacks time zone data for Europe/London or Europe/Dublin.')),
    );
  }
  const schema = await checkSchema(db);
  diagnoses.push(schema);
  if (schema.level === 'ok') diagnoses.push(await checkDerived(db));
  diagnoses.push(await checkClock(db));
  return diagnoses;
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
export async function checkQueues(
  { config, log }: Invocation,
  { db, databaseUrl }: { readonly db: Database; readonly databaseUrl: string },
): Promise<Diagnosis> {
  try {
    const owner = config.redisUrl ? null : await ownerOfQueues(db);
    if (owner !== null) return fine('queues', `belong to ${owner}, which crawls; this user does not`);
    const store = await openStore(config, databaseUrl, log);
    await store.close();
    const kind = store.kind === 'redis' ? 'Redis answers and drops no jobs' : 'PostgreSQL answers';
    return fine('queues', kind);
  } catch (error) {
    return failure('queues', error);
  }
}

/** The other role that the queues in PostgreSQL belong to, where this user may not use them; null: there is none. */
async function ownerOfQueues(db: Database): Promise<string | null> {
  const [row] = await rowsOf<{ owner: string }>(
    db,
    `select nspowner::regrole::text as owner from pg_namespace
     where nspname = 'bullmq' and not has_schema_privilege(oid, 'usage')`,
  );
  return row?.owner ?? null;
}

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runJobs } from '../../jobs/index.ts';
import { compose, composeScheduler } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { dispatch } from '../../src/crawl/dispatch.ts';
import { openNight } from '../../src/crawl/open-night.ts';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { startUpstream, type Upstream } from '../bench/upstream.ts';
import { type Ground, openDatabases } from '../prove/ground.ts';
import { type Command, startCommand } from '../support/command.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { type Measured, middleRate } from './measure.ts';
import { processorSeconds, processTree } from './processor-time.ts';
import { type QueueKind, startQueue } from './queue-servers.ts';

export interface NightPlan {
  readonly queue: QueueKind;
  readonly workers: number;
  readonly items: number;
  /** Requests that a process may have in flight. */
  readonly inFlight: number;
  /** Before the upstream answers. */
  readonly delayMs: number;
  /** null: unlimited rate and no kills. */
  readonly held: {
    readonly requestsPerSecond: number;
    readonly monthlyQuota: number;
    readonly killAfter: number;
  } | null;
}

const region = 'uk';
const mostMinutes = 30;

/**
 * A night of a fresh book, crawled by worker processes of the program; this process only opens it and hands its work
 * out.
 */
export async function crawlNight(ground: Ground, plan: NightPlan): Promise<Measured> {
  const closers: (() => Promise<unknown>)[] = [];
  const home = mkdtempSync(join(tmpdir(), 'pricebook-scale-'));
  chmodSync(home, 0o755);
  closers.push(async () => rmSync(home, { recursive: true, force: true }));
  try {
    const { held, items, delayMs } = plan;
    const limits = held ? { requestsPerSecond: held.requestsPerSecond, monthlyQuota: held.monthlyQuota } : {};
    const faults = [{ kind: 'slow', ms: delayMs } as const];
    const upstream = await startUpstream({ items, evolve: false, faults, count: 'all', ...limits });
    closers.push(upstream.close);
    const { db, url, drop } = await openDatabases(ground);
    closers.push(drop);
    const queue = await startQueue(plan.queue, url);
    closers.push(queue.stop);
    const env = {
      PRICEBOOK_HOME: home,
      DATABASE_URL: url,
      ...queue.env,
      GROCERY_BASE_URL: upstream.url,
      GROCERY_KEY: 'scale',
      GROCERY_REQUESTS_PER_SECOND: `${held?.requestsPerSecond ?? 0}`,
      ...(held ? { GROCERY_MONTHLY_QUOTA: `${held.monthlyQuota}` } : {}),
      REQUEST_CONCURRENCY: `${plan.inFlight}`,
      LOG_LEVEL: 'warn',
    };
    const base = await compose(loadConfig(env, { cwd: home }), {
      clock: systemClock,
      log: createLog({ level: 'fatal' }),
      name: 'schedule',
    });
    closers.push(base.close);
    const scheduler = await composeScheduler(base);
    closers.push(scheduler.close);
    const crew = createCrew(home, env);
    closers.push(crew.end);
    crew.hire(plan.workers);
    await until(async () => (await livingWorkers(db)) >= plan.workers, 'the workers do not begin');

    const postmaster = postmasterOf(ground);
    const before = { postgres: processorSeconds(processTree(postmaster)), workers: crew.seconds() };
    const redisBefore = processorSeconds(queue.pids);
    await db.query('create extension pg_stat_statements');
    await db.query('select pg_stat_statements_reset()');
    await openNight(scheduler.context, {
      region,
      maxDetails: scheduler.context.settings.maxDetails,
      origin: 'schedule',
    });
    let killed = 0;
    await until(async () => {
      const [run] = await rowsOf<{ runId: number; status: string }>(
        db,
        'select run_id as "runId", status::text as status from ops.run where region = $1',
        [region],
      );
      if (run?.status === 'open') await dispatch(scheduler.context, runJobs, run.runId);
      if (held && killed === 0 && (await upstream.log()).total >= held.killAfter) {
        killed = Math.max(1, Math.round(plan.workers / 3));
        await crew.kill(killed);
        crew.hire(killed);
      }
      return run !== undefined && run.status !== 'open';
    }, 'the night does not end');

    const log = await upstream.log();
    const [statements] = await rowsOf<{ data: number; queue: number }>(db, statementsByDatabase, [
      new URL(url).pathname.slice(1),
    ]);
    const measured = {
      queue: plan.queue,
      workers: plan.workers,
      killed,
      allowed: held?.requestsPerSecond ?? null,
      pages: log.total,
      requests: log.total,
      perSecond: middleRate(log.timesMs ?? []),
      jobs: await queue.jobsDone(),
      seconds: (log.lastAtMs! - log.firstAtMs!) / 1_000,
      statements: statements!,
      processorSeconds: {
        workers: crew.seconds() - before.workers,
        postgres: processorSeconds(processTree(postmaster)) - before.postgres,
        redis: processorSeconds(queue.pids) - redisBefore,
      },
    };
    await crew.end();
    return { ...measured, broken: await inexact(plan, db, upstream, killed) };
  } finally {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  }
}

/** Deviations of limits, counts and the catalogue from their exact values. */
async function inexact(
  { held, inFlight }: NightPlan,
  db: Database,
  upstream: Upstream,
  killed: number,
): Promise<string[]> {
  const log = await upstream.log();
  const [run] = await rowsOf<{ status: string; verdict: string | null; date: string }>(
    db,
    'select status::text as status, verdict::text as verdict, snapshot_date as date from ops.run where region = $1',
    [region],
  );
  const [spend] = await rowsOf<{ reserved: number; sent: number; settled: number }>(
    db,
    `select sum(units)::int as reserved, sum(sent)::int as sent,
       sum(ok + failed + refused + rate_limited + quota + denied + aborted)::int as settled from ops.spend`,
  );
  const { reserved, sent, settled } = spend!;
  const broken: string[] = [];
  if (run?.verdict !== 'complete') broken.push(`the night is ${run?.status}, ${run?.verdict}`);
  const refused = log.byStatus['429'] ?? 0;
  if (refused > 0) broken.push(`${refused} requests were refused for being too many`);
  // They leave at the rate; how long each is under way on machines this busy moves one of them into another second.
  if (held && log.maxPerSecond > held.requestsPerSecond + 1) {
    broken.push(`${log.maxPerSecond} requests in one second, ${held.requestsPerSecond} are allowed`);
  }
  if (held && log.metered > held.monthlyQuota)
    broken.push(`${log.metered} requests of a quota of ${held.monthlyQuota}`);
  // A request is reserved before it is sent: a killed process may leave requests counted that were never sent, but none
  // sent that was not counted. The outcomes of its last requests are missing.
  if (log.total > reserved) broken.push(`the upstream saw ${log.total} requests, ${reserved} are counted`);
  if (sent - log.total > killed * inFlight) broken.push(`${sent} requests are counted, the upstream saw ${log.total}`);
  if (sent !== settled && killed === 0)
    broken.push(`${sent - settled} requests have no outcome, and nobody was killed`);
  const products = await upstream.truth(region, run!.date);
  const differing = await disagreements(db, { truth: () => products }, region, run!.date);
  if (differing.length > 0) broken.push(`${differing.length} products are not as they are, such as ${differing[0]}`);
  return [...broken, ...(await brokenInvariants(db))];
}

/** `pricebook work` processes. */
function createCrew(home: string, env: Readonly<Record<string, string>>) {
  let working: Command[] = [];
  /** For killed processes. */
  let secondsLost = 0;
  const pidsOf = (commands: readonly Command[]) => commands.flatMap(({ process: { pid } }) => pid ?? []);
  return {
    hire(count: number) {
      for (let i = 0; i < count; i += 1) working.push(startCommand(['work'], { cwd: home, env }));
    },
    async kill(count: number) {
      const victims = working.slice(0, count);
      working = working.slice(count);
      secondsLost += processorSeconds(pidsOf(victims));
      for (const { process: victim } of victims) victim.kill('SIGKILL');
      await Promise.all(victims.map(({ ended }) => ended));
    },
    seconds: () => secondsLost + processorSeconds(pidsOf(working)),
    async end() {
      const leaving = working;
      working = [];
      for (const { process: worker } of leaving) worker.kill('SIGTERM');
      await Promise.all(leaving.map(({ ended }) => ended));
    },
  };
}

async function livingWorkers(db: Database): Promise<number> {
  const rows = await rowsOf(db, `select from ops.worker where command = 'work' and alive_until > clock_timestamp()`);
  return rows.length;
}

async function until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = performance.now() + mostMinutes * 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${otherwise} within ${mostMinutes} minutes`);
    await sleep(250);
  }
}

function postmasterOf({ folder }: Ground): number {
  return Number(readFileSync(join(folder!, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

const statementsByDatabase = `
  select coalesce(sum(calls) filter (where datname = $1), 0)::int as data,
    coalesce(sum(calls) filter (where datname = $1 || '_queue'), 0)::int as queue
  from pg_stat_statements join pg_database on pg_database.oid = dbid`;

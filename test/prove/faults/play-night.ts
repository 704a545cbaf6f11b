import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PricebookError, ServerUnreachable } from '../../../src/base/errors.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { crawlNight } from '../../support/crawl.ts';
import { bringAbout, type Crew, type Mishap } from '../mishaps.ts';
import type { Site } from '../site.ts';
import { dateOf } from './catalogues.ts';
import type { NightPlan, Schedule } from './schedule.ts';

/** How a night went. */
export interface PlayedNight {
  readonly attempts: number;
  readonly fired: readonly Mishap['kind'][];
  /** Kinds of faults, each as often as the upstream was wrong. */
  readonly faults: readonly string[];
  /** Forbidden output. */
  readonly bugs: readonly string[];
  readonly said: string;
}

/** Output that no fault excuses. */
const bug = /this is a bug in pricebook|a job failed unexpectedly|TypeError|ReferenceError/;

/** Repetitions of the same command; a night that is not over by then never will be. */
const maxAttempts = 25;

/**
 * Crawls a night through its faults and mishaps, with the same command again and again, until every region's run is
 * published.
 */
export async function playNight(
  site: Site,
  { catalogue }: Schedule,
  index: number,
  plan: NightPlan,
  undisturbedRequests: number,
): Promise<PlayedNight> {
  const night = catalogue.nights[index]!;
  const date = dateOf(night);
  const faults = plan.faults.map((rule) =>
    rule.kind === 'redirect' ? { ...rule, location: site.elsewhere.url } : rule,
  );
  site.simulator.change({ date, faults });
  const space = plan.archiveBytes === null ? null : confine(site.home, plan.archiveBytes);

  const crew: Crew = { crawl: null, workers: [] };
  const now = ['--now', night];
  crew.workers = Array.from({ length: plan.workers }, () => site.start([...now, 'work']));
  const befallen = bringAbout(site, crew, plan.mishaps, undisturbedRequests);
  const takesProcess = plan.mishaps.some(({ kind }) => !harmsServersOnly.has(kind));
  const bugs: string[] = [];
  let said = '';
  let attempts = 0;

  try {
    while (!(await isPublished(site, catalogue.regions, date))) {
      attempts += 1;
      if (attempts > maxAttempts)
        throw new Error(`the night of ${date} is not over after ${maxAttempts} commands\n${said}`);
      if (attempts > 2) space?.makeRoom();
      const ended = takesProcess ? await attemptByCommand() : await attemptHere(site, catalogue, new Date(night));
      said += `[${date}, command ${attempts} ended with ${ended.code}]\n${ended.said}\n`;
      bugs.push(...ended.said.split('\n').filter((line) => bug.test(line)));
      if (ended.code === 0 || ended.code === 3) continue;
      await sleep(150);
      await letStopsEnd(site.db);
    }
  } finally {
    await befallen.stop();
    space?.makeRoom();
    for (const worker of crew.workers) worker.process.kill('SIGTERM');
    for (const worker of crew.workers) said += `[work]\n${(await worker.ended).said}\n`;
  }
  return { attempts, fired: befallen.fired, faults: firedFaults(site), bugs, said };

  async function attemptByCommand(): Promise<Ended> {
    const regions = catalogue.regions.flatMap((region) => ['--region', region]);
    crew.crawl = site.start([...now, 'crawl', ...regions, '--max-details', String(catalogue.maxDetails)]);
    return crew.crawl.ended;
  }
}

/** What a person does who reads until when a run waits: runs the same command after that. */
async function letStopsEnd(db: Site['db']): Promise<void> {
  await db.query('update ops.stop set until = ops.clock()').catch(() => undefined);
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** Servers and links can be harmed under a crawl in this process as well, which saves starting another. */
const harmsServersOnly = new Set<Mishap['kind']>(['cut', 'refuse', 'hole', 'delay', 'lose queue', 'kill redis']);

async function attemptHere(site: Site, { regions, maxDetails }: Schedule['catalogue'], now: Date): Promise<Ended> {
  const { DATABASE_URL: databaseUrl = site.databaseUrl, GROCERY_BASE_URL: upstream = '', ...env } = site.env;
  try {
    const runs = await crawlNight({
      installation: { databaseUrl, queue: {} },
      upstream,
      now,
      clock: 'played',
      regions,
      maxDetails,
      home: site.home,
      env,
    });
    return { code: runs.some(({ verdict }) => verdict === 'partial') ? 3 : 0, said: '' };
  } catch (error) {
    if (error instanceof PricebookError) return { code: error.exitCode, said: error.message };
    return { code: 1, said: `this is a bug in pricebook: ${(error as Error).stack}` };
  }
}

async function isPublished({ db, env }: Site, regions: readonly string[], date: string): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const rows = await rowsOf(
        db,
        `select region from ops.run where snapshot_date = $1 and region = any($2) and status in ('published', 'held')`,
        [date, regions],
      );
      return rows.length >= regions.length;
    } catch (error) {
      // 42P01: nothing was ever migrated here. Otherwise the server may just be coming up again.
      if ((error as { code?: string }).code === '42P01') return false;
      // A server of the program's own, killed after its last command, is started by the next command only.
      if (attempt >= 40 && env['DATABASE_URL'] === undefined && error instanceof ServerUnreachable) return false;
      if (attempt >= 40) throw error;
      await sleep(250);
    }
  }
}

function firedFaults({ simulator }: Site): string[] {
  return simulator.state().faults.flatMap(({ kind, fired }) => Array<string>(fired).fill(kind));
}

/** Gives the archive a small file system of its own, or unlimited room if mounting is not allowed. */
function confine(home: string, bytes: number): { makeRoom(): void } | null {
  const folder = join(home, 'archive');
  mkdirSync(folder, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status !== 0) return null;
  return {
    makeRoom: () => void spawnSync('mount', ['-o', 'remount,size=64m', folder]),
  };
}

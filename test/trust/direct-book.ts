import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobContext } from '../../jobs/context.ts';
import { runJobs } from '../../jobs/index.ts';
import { type Base, type CrawlerOptions, compose, composeCrawler } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { createLog } from '../../src/base/log.ts';
import { type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import { dispatch } from '../../src/crawl/run/dispatch.ts';
import { openNight } from '../../src/crawl/run/open.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import { createNightClock } from '../bench/night-clock.ts';
import type { Installation } from '../support/crawl.ts';
import { sentinelKey } from '../support/sentinel-key.ts';

export interface DirectBook {
  readonly base: Base;
  readonly context: JobContext;
  /** Crawls a region's night of a date to its end; `meanwhile` is called once in each phase before its work. */
  night(region: RegionCode, date: string, meanwhile?: Meanwhile): Promise<Run>;
  /** The clock, for steps between nights. */
  setTo(date: string): void;
  close(): Promise<void>;
}

type Meanwhile = (run: Run) => Promise<void>;

export interface DirectBookOptions {
  /** Base URL; null: the simulator within the process, as without a key. */
  readonly upstream: string | null;
  /** Where its database and its queue are, and more variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Data folder; a temporary one by default, gone when the book is closed. */
  readonly home?: string;
  /** Of a region's night; 0. */
  readonly maxDetails?: number;
  readonly crawler?: CrawlerOptions;
}

/**
 * A price book whose jobs run one after the other in this process instead of through a queue: the same jobs, ledger and
 * database, several times faster. For thousands of nights; that the queue carries what it must is proved elsewhere.
 */
export async function openDirectBook(options: DirectBookOptions): Promise<DirectBook> {
  const { upstream, env, maxDetails = 0 } = options;
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'pricebook-direct-'));
  const asked = upstream === null ? {} : { GROCERY_BASE_URL: upstream, GROCERY_KEY: sentinelKey };
  const settings = { PRICEBOOK_HOME: home, LOG_LEVEL: 'silent', ARCHIVE: 'off' };
  const config = loadConfig({ ...settings, ...asked, ...env }, { cwd: home });
  const clock = createNightClock('2026-01-01');
  const base = await compose(config, { clock, log: createLog({ level: 'silent' }), name: 'direct' });
  const crawler = await composeCrawler(base, { jobs: [], firstRestMs: 1, despiteDrift: true, ...options.crawler });
  const context = direct(crawler.context);
  let today = '';
  const setTo = (date: string) => {
    // The second region of a date runs after the first.
    if (date !== today) clock.setTo(date);
    today = date;
  };
  return {
    base,
    context,
    setTo,
    async night(region, date, meanwhile) {
      setTo(date);
      const run = await openNight(context, { region, maxDetails, origin: 'command', again: true });
      return context.finish(run!.runId, meanwhile);
    },
    async close() {
      await crawler.close(1_000);
      await base.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface DirectNightOptions extends Omit<DirectBookOptions, 'env'> {
  readonly installation: Omit<Installation, 'db'>;
  readonly date: string;
  readonly regions?: readonly RegionCode[];
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly meanwhile?: Meanwhile;
}

/** Crawls a night without a queue and without derivation, in half the time, for tests of neither. */
export async function crawlDirectly(options: DirectNightOptions): Promise<Run[]> {
  const { installation, date, regions = regionCodes } = options;
  const env = { DATABASE_URL: installation.databaseUrl, ...installation.queue, ...options.env };
  const book = await openDirectBook({ ...options, env });
  try {
    const runs: Run[] = [];
    for (const region of regions) runs.push(await book.night(region, date, options.meanwhile));
    return runs;
  } finally {
    await book.close();
  }
}

interface Direct extends JobContext {
  finish(runId: number, meanwhile?: Meanwhile): Promise<Run>;
}

function direct(context: JobContext): Direct {
  /** By job: as in a process with queues, one of each kind at a time. */
  let waiting = new Map<string, () => Promise<void>>();
  let notice: (run: Run) => Promise<void> = async () => undefined;
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const own: Direct = {
    ...context,
    queues: {
      async enqueue(job, payload) {
        if (!namesOfRunJobs.has(job.name)) return;
        waiting.set(job.name, () => job.run(payload, own, signal));
      },
      async repeat() {},
    },
    async dispatch() {},
    async openRun(runId) {
      const run = await context.openRun(runId);
      if (run) await notice(run);
      return run;
    },
    async finish(runId, meanwhile) {
      let before = '';
      notice = async (run) => {
        if (run.phase === before) return;
        before = run.phase;
        await meanwhile?.(run);
      };
      for (;;) {
        const run = await context.runs.byId(runId);
        if (run.status !== 'open') {
          waiting = new Map();
          return run;
        }
        if (run.stop !== null) throw new Error(`the run waits: ${run.stop.detail}`);
        await dispatch(own, runJobs, runId);
        await notice(await context.runs.byId(runId));
        const work = [...waiting.values()];
        waiting = new Map();
        if (work.length === 0) throw new Error(`run ${runId} has nothing to do in phase ${run.phase}`);
        for (const each of work) await each();
      }
    },
  };
  return own;
}

/**
 * What follows from a night, also from one that is still being repaired, is derived and counted by whoever asks for it.
 */
const namesOfRunJobs: ReadonlySet<string> = new Set(
  [runJobs.crawlTaxonomy, ...Object.values(runJobs.crawlRun), runJobs.finishCrawl].map(({ name }) => name),
);

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Base, type Crawler, compose, composeCrawler } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { createLog } from '../../src/base/log.ts';
import { crawlNights } from '../../src/crawl/crawl-nights.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { createNightClock, type NightClock } from './night-clock.ts';
import type { Upstream } from './upstream.ts';

/**
 * A price book of its own: embedded PostgreSQL in a temporary folder, BullMQ on PostgreSQL, the program in this
 * process.
 */
export interface Book {
  readonly base: Base;
  readonly crawler: Crawler;
  readonly clock: NightClock;
  /** Crawls the uk's night of a date without details and waits until it is published. */
  night(date: string): Promise<Night>;
}

export interface Night {
  readonly run: Run;
  /** From opening the run until it is published. */
  readonly seconds: number;
  /** From then until the command ends: the content hash, and everything that is derived from the night. */
  readonly secondsAfter: number;
  /** Of this process, in both. */
  readonly cpuSeconds: number;
}

export interface BookOptions {
  readonly upstream: Pick<Upstream, 'url' | 'change'>;
  /** Of the first night. */
  readonly date: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A folder to keep; by default the folder is temporary. */
  readonly home?: string | undefined;
}

/** Opens an installation for `use` and removes it afterwards. */
export async function withBook<Result>(options: BookOptions, use: (book: Book) => Promise<Result>): Promise<Result> {
  if (options.home !== undefined) return withOpenBook(options.home, options, use);
  const home = mkdtempSync(join(tmpdir(), 'pricebook-bench-'));
  // If root runs this, the server runs as another user who needs access.
  chmodSync(home, 0o755);
  try {
    return await withOpenBook(home, options, use);
  } finally {
    await removeEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
}

async function withOpenBook<Result>(
  home: string,
  { upstream, date, env = {} }: BookOptions,
  use: (book: Book) => Promise<Result>,
): Promise<Result> {
  const settings = { PRICEBOOK_HOME: home, GROCERY_BASE_URL: upstream.url, GROCERY_KEY: 'bench', ...env };
  const config = loadConfig(settings, { cwd: home });
  const clock = createNightClock(date);
  const opened = await compose(config, { clock, log: createLog({ level: 'error' }), name: 'bench' });
  const { db, publishedAt } = watchPublications(opened.db);
  const base: Base = { ...opened, db };
  try {
    const crawler = await composeCrawler(base, { maxDetails: 0 });
    try {
      return await use({
        base,
        crawler,
        clock,
        night: (on) => crawlNight(crawler, upstream, clock, publishedAt, on),
      });
    } finally {
      await crawler.close(5_000);
    }
  } finally {
    await opened.close();
  }
}

async function crawlNight(
  crawler: Crawler,
  upstream: BookOptions['upstream'],
  clock: NightClock,
  publishedAt: () => number | undefined,
  date: string,
): Promise<Night> {
  clock.setTo(date);
  await upstream.change({ date });
  const { signal } = new AbortController();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const [run] = await crawlNights(crawler, { regions: ['uk'], maxDetails: 0, signal });
  const endedAt = performance.now();
  const { user, system } = process.cpuUsage(cpuBefore);
  const committedAt = publishedAt();
  // Of categories that only repeat others a few listings may be known later.
  const isCertified = run?.verdict === 'complete' || run?.verdict === 'complete_within_tolerance';
  if (!isCertified || !committedAt) throw new Error(`the night of ${date} came out as ${run?.verdict}`);
  const seconds = (committedAt - startedAt) / 1_000;
  const secondsAfter = (endedAt - committedAt) / 1_000;
  return { run, seconds, secondsAfter, cpuSeconds: (user + system) / 1e6 };
}

/** The same database; `publishedAt` is when the last transaction that published a night was committed. */
function watchPublications(db: Database): { db: Database; publishedAt(): number | undefined } {
  let committedAt: number | undefined;
  const tx: Database['tx'] = async (run, options) => {
    let isPublication = false;
    const result = await db.tx((transaction) => {
      const query: typeof transaction.query = (text, values) => {
        isPublication ||= text.includes('insert into winner');
        return transaction.query(text, values);
      };
      return run({ ...transaction, query });
    }, options);
    if (isPublication) committedAt = performance.now();
    return result;
  };
  return { db: { ...db, tx }, publishedAt: () => committedAt };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawlJobs } from '../../jobs/index.ts';
import { type Base, type Crawler, type CrawlerOptions, compose, composeCrawler } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { type ClockKind, type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import { crawlNights } from '../../src/crawl/crawl-nights.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { keepConnections } from './kept-connections.ts';
import { expectNoLeak, leaksInFiles } from './leaks.ts';
import { sentinelKey } from './sentinel-key.ts';

keepConnections();

/** Where a crawl works: its database, and variables for a queue that is not in it. */
export interface Installation {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly queue?: Readonly<Record<string, string>>;
}

export interface NightOptions {
  readonly installation: Omit<Installation, 'db'>;
  /** Base URL of the upstream; null: the simulator within the process, as without a key. */
  readonly upstream: string | null;
  /** The instant the night begins. */
  readonly now: Date;
  /** The machine's clock, put there for the test; `played`: as `--now` sets one. */
  readonly clock?: ClockKind;
  /** Whether a certified night is crawled again. */
  readonly again?: boolean;
  readonly regions?: readonly RegionCode[];
  /** Per region; 0. */
  readonly maxDetails?: number;
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly crawler?: CrawlerOptions;
  readonly signal?: AbortSignal;
  /** Collects log entries as JSON. */
  readonly logged?: string[];
  /** Data folder; a temporary one by default, gone after the night. */
  readonly home?: string;
}

/** Two in the morning in London and Dublin, in winter. */
export function nightOf(date: string): Date {
  return new Date(`${date}T02:00:00Z`);
}

/**
 * Crawls a night to its end in this process, as `pricebook crawl` does, and returns the runs in the order of the
 * regions.
 */
export async function crawlNight(options: NightOptions): Promise<Run[]> {
  const { regions = regionCodes, maxDetails = 0, again = false, signal = new AbortController().signal } = options;
  const runs = await withCrawler(options, (_, crawler) =>
    crawlNights(crawler, {
      regions,
      maxDetails,
      again,
      // However long it took to come here.
      at: options.now,
      signal,
    }),
  );
  return runs.sort((a, b) => regions.indexOf(a.region) - regions.indexOf(b.region));
}

/** Runs `use` with all that crawls, workers running. */
export async function withCrawler<Result>(
  options: NightOptions,
  use: (base: Base, crawler: Crawler) => Promise<Result>,
): Promise<Result> {
  const { installation, upstream, now, clock = 'machine', env, crawler: crawlerOptions } = options;
  const played = clockFrom(now);
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'pricebook-crawl-'));
  const config = loadConfig(
    {
      DATABASE_URL: installation.databaseUrl,
      ...installation.queue,
      ...(upstream === null ? {} : { GROCERY_BASE_URL: upstream, GROCERY_KEY: sentinelKey }),
      PRICEBOOK_HOME: home,
      ...env,
    },
    { cwd: home },
  );
  const leaks: string[] = [];
  const log = createLog({
    level: 'trace',
    to: {
      write(line) {
        options.logged?.push(line);
        if (line.includes(sentinelKey)) leaks.push(`the log: ${line}`);
      },
    },
  });
  const base = await compose(config, { clock: clock === 'played' ? played : { now: played.now }, log, name: 'test' });
  try {
    const crawler = await composeCrawler(base, {
      requeueAfterMs: 3_000,
      firstRestMs: 50,
      // Faults are put in on purpose and judged by what becomes of the night.
      despiteDrift: true,
      jobs: crawlJobs,
      ...crawlerOptions,
    });
    try {
      return await use(base, crawler);
    } finally {
      await crawler.close(1_000);
    }
  } finally {
    await base.close();
    leaks.push(...(await leaksInFiles(home)));
    if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    expectNoLeak(leaks);
  }
}

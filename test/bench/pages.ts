import type { Clock } from '../../src/base/clock.ts';
import { createRuns } from '../../src/crawl/ledger/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { countNightsOwed } from '../../src/followers/derive/owed-nights.ts';
import { createWatchLists } from '../../src/followers/watches/watch-lists.ts';
import { readStatus } from '../../src/questions/status.ts';
import { openExplorer } from '../../src/web/server.ts';
import { monitoringOf } from '../support/monitoring.ts';
import type { Bench, Figure, Measured } from './figure.ts';
import { createNightClock } from './night-clock.ts';
import { pageAddresses } from './page-addresses.ts';
import { lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/** Number of requests per address, after one that warms the caches. */
const times = 20;
const p95Ms = 100;
const slowestMs = 300;

/** How long each page of the explorer takes with its usual filters and orders, over HTTP, of a book of three years. */
export const pages: Figure = {
  name: 'pages',
  async run(bench) {
    return withThreeYears(bench, ({ db }) => measurePages(db, bench));
  },
};

/** Requests one address after the other and measures until the last byte. */
export async function measurePages(db: Database, { say }: Pick<Bench, 'say'>): Promise<readonly Measured[]> {
  const explorer = await openOver(db, createNightClock(lastNight));
  try {
    const measured: Measured[] = [];
    for (const { page, addresses } of await pageAddresses(db)) {
      const all: number[] = [];
      for (const address of addresses) {
        const took: number[] = [];
        for (let time = 0; time <= times; time++) took.push(await ask(explorer.url + address));
        const counted = took.slice(1).sort(ascending);
        say(
          `${median(counted).toFixed(0).padStart(6)} ms  (${counted[0]!.toFixed(0)} to ` +
            `${counted.at(-1)!.toFixed(0)})  ${address}`,
        );
        all.push(...counted);
      }
      all.sort(ascending);
      const from = `${addresses.length} addresses, ${times} times each; median ${median(all).toFixed(0)} ms`;
      measured.push(
        result(`${page}: 95th percentile`, all[Math.ceil(all.length * 0.95) - 1]!, p95Ms, from),
        result(`${page}: slowest`, all.at(-1)!, slowestMs, from),
      );
    }
    return measured;
  } finally {
    await explorer.close();
  }
}

async function ask(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url);
  const body = await response.text();
  const took = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${body.slice(0, 200)}`);
  return took;
}

const ascending = (a: number, b: number): number => a - b;

const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1]!;

function result(what: string, value: number, limit: number, from: string): Measured {
  return { what, value, unit: 'ms', target: { is: 'at most', aim: limit, floor: limit }, from };
}

/** An explorer over a book, as `pricebook start` opens it. */
export function openOver(db: Database, clock: Clock) {
  const runs = createRuns(db);
  const fail = (error: unknown): never => {
    throw error instanceof Error ? error : new Error(String(error));
  };
  return openExplorer({
    host: '127.0.0.1',
    port: 0,
    databaseUrl: db.url,
    clock,
    access: { password: null, userHeader: null, tokens: [] },
    nightBeginsAt: { hour: 2, minute: 0 },
    ownCommand: 'pricebook',
    monitoring: monitoringOf(db, clock),
    queues: () => null,
    readStatus: () => readStatus({ db, runs, now: clock.now(), quotas: new Map([['grocery', 500_000]]) }),
    countNightsOwed: (region) => countNightsOwed(db, region),
    watchLists: createWatchLists({ db, clock }),
    readRuns: () => runs.recent(14),
    onTrouble: (error) => console.error(error),
    onOwnRights: fail,
  });
}

import { NightAt } from '../../src/app/config/variable-types.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createRuns } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { countNightsOwed } from '../../src/followers/derive/owed-nights.ts';
import { readStatus } from '../../src/questions/status.ts';
import { openExplorer } from '../../src/web/server.ts';
import { monitoringOf } from '../support/monitoring.ts';
import type { Figure } from './figure.ts';
import { createNightClock } from './night-clock.ts';
import { pageAddresses } from './page-addresses.ts';
import { lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/** Number of requests per address, after one that warms the caches. */
const times = 20;

/** How long a page of the explorer takes with its usual filters and orders, over HTTP, of a book of three years. */
export const pages: Figure = {
  name: 'pages',
  run: (bench) =>
    withThreeYears(bench, async ({ db }) => {
      const explorer = await openOver(db, createNightClock(lastNight));
      try {
        const first: number[] = [];
        const again: number[] = [];
        const addresses = await pageAddresses(db);
        for (const address of addresses) {
          const { tag } = await ask(explorer.url + address);
          const took = [];
          for (let time = 0; time < times; time++) took.push((await ask(explorer.url + address)).ms);
          bench.say(`${percentile(took, 0.5).toFixed(0).padStart(6)} ms  ${address}`);
          first.push(...took);
          if (tag !== null) again.push((await ask(explorer.url + address, tag)).ms);
        }
        const median = percentile(first, 0.5).toFixed(0);
        const from = `${addresses.length} addresses, ${times} times each; median ${median} ms`;
        return [
          {
            ...{ what: 'any page of the explorer, 95th percentile', value: percentile(first, 0.95), unit: 'ms' },
            ...{ target: { is: 'at most', aim: 150, floor: 300 }, from },
          },
          {
            ...{ what: 'the same again', value: percentile(again, 0.95), unit: 'ms' },
            ...{ target: { is: 'at most', aim: 2, floor: 5 }, from: 'by its tag, 95th percentile' },
          },
        ];
      } finally {
        await explorer.close();
      }
    }),
};

/** Requests an address and measures until the last byte. */
async function ask(url: string, tag?: string): Promise<{ readonly ms: number; readonly tag: string | null }> {
  const startedAt = performance.now();
  const response = await fetch(url, tag === undefined ? {} : { headers: { 'if-none-match': tag } });
  const body = await response.text();
  const ms = performance.now() - startedAt;
  if (response.status !== (tag === undefined ? 200 : 304))
    throw new Error(`${url} was answered with ${response.status}: ${body.slice(0, 200)}`);
  return { ms, tag: response.headers.get('etag') };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1]!;
}

/** An explorer over a book, as `pricebook start` opens it. */
function openOver(db: Database, clock: Clock) {
  const runs = createRuns(db);
  const fail = (error: unknown): never => {
    throw error instanceof Error ? error : new Error(String(error));
  };
  return openExplorer({
    host: '127.0.0.1',
    port: 0,
    databaseUrl: db.url,
    clock,
    access: { password: null, userHeader: null, tokens: null },
    nightBeginsAt: NightAt.parse('02:00'),
    ownCommand: 'pricebook',
    monitoring: monitoringOf(db, clock),
    queues: () => null,
    readStatus: () =>
      readStatus({ db, runs, now: clock.now(), listings: new Map([['grocery', { monthlyQuota: 500_000 }]]) }),
    countNightsOwed: (region) => countNightsOwed(db, region),
    readRuns: () => runs.recent(14),
    onTrouble: (error) => console.error(error),
    onOwnRights: fail,
  });
}

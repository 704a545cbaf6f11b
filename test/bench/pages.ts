import { openAt } from '../support/open-explorer.ts';
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
      const explorer = await openAt(db, createNightClock(lastNight));
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

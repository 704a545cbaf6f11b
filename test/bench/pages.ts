import { openAt } from '../support/open-explorer.ts';
import type { Figure } from './figure.ts';
import { createNightClock } from './night-clock.ts';
import { pageAddresses } from './page-addresses.ts';
import { lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/** Rounds over all addresses, each with a new explorer that has kept no answer, after one that warms the database. */
const rounds = 3;

/** How long a page of the explorer takes with its usual filters and orders, over HTTP, of a book of three years. */
export const pages: Figure = {
  name: 'pages',
  run: (bench) =>
    withThreeYears(bench, async ({ db }) => {
      const addresses = await pageAddresses(db);
      const first = new Map<string, number[]>(addresses.map((address) => [address, []]));
      const again: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const explorer = await openAt(db, createNightClock(lastNight));
        try {
          for (const address of addresses) {
            const { tag, ms } = await ask(explorer.url + address);
            if (round > 0) first.get(address)!.push(ms);
            if (tag !== null) again.push((await ask(explorer.url + address, tag)).ms);
          }
        } finally {
          await explorer.close();
        }
      }
      const medians = [...first].map(([address, took]) => ({ address, ms: percentile(took, 0.5) }));
      for (const { address, ms } of medians.sort((a, b) => a.ms - b.ms))
        bench.say(`${ms.toFixed(0).padStart(6)} ms  ${address}`);
      const all = [...first.values()].flat();
      const from = `${addresses.length} addresses, ${rounds} times each; median ${percentile(all, 0.5).toFixed(0)} ms`;
      return [
        {
          ...{ what: 'any page of the explorer, 95th percentile', value: percentile(all, 0.95), unit: 'ms' },
          ...{ target: { is: 'at most', aim: 150, floor: 300 }, from },
        },
        {
          ...{ what: 'the same again', value: percentile(again, 0.95), unit: 'ms' },
          ...{ target: { is: 'at most', aim: 2, floor: 5 }, from: 'by its tag, 95th percentile' },
        },
      ];
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

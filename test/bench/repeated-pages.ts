import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figure, Measured } from './figure.ts';
import { createNightClock } from './night-clock.ts';
import { openOver } from './pages.ts';
import { lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/** Answers per second, and the 95th percentile of their durations. */
export interface Load {
  readonly requests: number;
  readonly p95Ms: number;
}

const connections = 50;
const seconds = 5;
const addresses = ['/', '/products?q=milk', '/index', '/movers?period=month'];

/** Requests per second of pages that the browser has already, and the memory of the process that answers them. */
export const repeatedPages: Figure = {
  name: 'repeated-pages',
  run: (bench) =>
    withThreeYears(bench, async ({ db }) => {
      const explorer = await openOver(db, createNightClock(lastNight));
      try {
        const measured: Measured[] = [];
        for (const address of addresses) {
          const { requests, p95Ms } = await loadOf(explorer.url + address);
          const from = `${connections} connections for ${seconds} s; 95th percentile ${p95Ms.toFixed(0)} ms`;
          measured.push({ what: `${address} again`, value: requests, unit: 'requests/s', target: null, from });
        }
        const megabytes = process.memoryUsage.rss() / 2 ** 20;
        measured.push({ what: 'memory after that', value: megabytes, unit: 'MB', target: null, from: 'resident' });
        return measured;
      } finally {
        await explorer.close();
      }
    }),
};

/** Load from a process of its own, so that its cost is not the server's. */
async function loadOf(address: string): Promise<Load> {
  const child = fork(
    fileURLToPath(new URL('repeated-process.ts', import.meta.url)),
    [address, `${connections}`, `${seconds}`],
    { execArgv: ['--import', 'tsx'] },
  );
  const exited = once(child, 'exit');
  const load = await Promise.race([once(child, 'message').then(([message]) => message as Load), exited]);
  await exited;
  if (!('requests' in load)) throw new Error(`the load on ${address} ended without a result`);
  return load;
}

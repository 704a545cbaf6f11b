import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';
import { startUpstream } from './upstream.ts';

/** Peak memory of a process that crawls one night, also compared with a tenth of the products. */
export const memory: Figure = {
  name: 'memory',
  async run({ items }) {
    const least = await peakOfNight(Math.round(items / 10));
    const most = await peakOfNight(items);
    return [
      {
        ...{ what: `peak memory, ${items} products`, value: most, unit: 'MB' },
        target: { is: 'at most', aim: 250, floor: 400 },
        from: 'resident, of the crawling process; PostgreSQL and simulator are others',
      },
      {
        ...{ what: 'peak memory, against a tenth of the products', value: most / least, unit: '' },
        target: { is: 'at most', aim: 1.15, floor: 1.15 },
        from: `${most.toFixed(0)} MB / ${least.toFixed(0)} MB`,
      },
    ];
  },
};

async function peakOfNight(items: number): Promise<number> {
  const upstream = await startUpstream({ items, evolve: false });
  try {
    const child = fork(fileURLToPath(new URL('memory-process.ts', import.meta.url)), [upstream.url], {
      execArgv: ['--import', 'tsx'],
    });
    const exited = once(child, 'exit');
    const told = once(child, 'message').then(([message]) => Number(message));
    const megabytes = await Promise.race([told, exited.then(() => Number.NaN)]);
    await exited;
    if (Number.isNaN(megabytes)) throw new Error('the crawling process ended without a word');
    return megabytes;
  } finally {
    await upstream.close();
  }
}

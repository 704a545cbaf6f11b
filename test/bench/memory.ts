import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';
import { startUpstream } from './upstream.ts';

/** Shares of the requested size: 30k, 100k and 300k for the usual 300,000. */
const shares = [1 / 10, 1 / 3, 1] as const;

/** Peak memory of a process that crawls one night, for three sizes of the catalogue. */
export const memory: Figure = {
  name: 'memory',
  async run({ items, say }) {
    const peaks: { items: number; megabytes: number }[] = [];
    for (const share of shares) {
      const size = Math.round(items * share);
      const megabytes = await peakOfNight(size);
      say(`${size} products: ${megabytes.toFixed(0)} MB`);
      peaks.push({ items: size, megabytes });
    }
    const [least, most] = [peaks[0]!, peaks.at(-1)!];
    const from = peaks.map((peak) => `${peak.items}: ${peak.megabytes.toFixed(0)} MB`).join(', ');
    return [
      {
        what: `peak memory, ${most.items} / ${least.items} products`,
        value: most.megabytes / least.megabytes,
        unit: '',
        target: { is: 'at most', aim: 1.2, floor: 1.2 },
        from,
      },
      {
        what: `peak memory, ${most.items} products`,
        value: most.megabytes,
        unit: 'MB',
        target: { is: 'at most', aim: 400, floor: 400 },
        from: 'resident, of the crawling process; PostgreSQL and simulator are others',
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

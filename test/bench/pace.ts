import { withBook } from './book.ts';
import type { Figure } from './figure.ts';
import { startUpstream } from './upstream.ts';

/** What the gateway really lets through, for more than four minutes. */
const requestsPerSecond = 5;
const items = 24_600;

/** Measures which share of the allowed rate a crawl uses, and whether it ever exceeds it. */
export const pace: Figure = {
  name: 'pace',
  async run() {
    const upstream = await startUpstream({ items, evolve: false, requestsPerSecond });
    try {
      const env = { GROCERY_REQUESTS_PER_SECOND: String(requestsPerSecond) };
      return await withBook({ upstream, date: '2026-03-01', env }, async ({ night }) => {
        await upstream.resetLog();
        await night('2026-03-01');
        const { total, averagePerSecond, maxPerSecond, byStatus, firstAtMs, lastAtMs } = await upstream.log();
        const seconds = (lastAtMs! - firstAtMs!) / 1_000;
        const from = `${total} requests in ${seconds.toFixed(1)} s; at most ${maxPerSecond} in any second`;
        return [
          {
            ...{ what: 'achieved / allowed rate', value: averagePerSecond / requestsPerSecond, unit: '' },
            ...{ target: { is: 'at least', aim: 0.98, floor: 0.95 }, from },
          },
          {
            ...{ what: 'requests refused for being too fast', value: byStatus['429'] ?? 0, unit: '' },
            ...{ target: { is: 'at most', aim: 0, floor: 0 }, from },
          },
        ];
      });
    } finally {
      await upstream.close();
    }
  },
};

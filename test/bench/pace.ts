import { withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { startUpstream } from './upstream.ts';

/**
 * What the gateway really lets through, for more than four minutes; and what it never did, for half a minute, of which
 * a night's beginning and end, where one request waits for another, are a good part.
 */
const rates = [
  { requestsPerSecond: 5, items: 24_600, target: { is: 'at least', aim: 0.98, floor: 0.98 } },
  { requestsPerSecond: 20, items: 12_300, target: null },
] as const;

/** Measures which share of the allowed rate a crawl uses, and whether it ever exceeds it. */
export const pace: Figure = {
  name: 'pace',
  async run() {
    const measured: Measured[] = [];
    for (const rate of rates) measured.push(...(await crawlAt(rate)));
    return measured;
  },
};

async function crawlAt({ requestsPerSecond, items, target }: (typeof rates)[number]): Promise<Measured[]> {
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
          what: `${requestsPerSecond} requests a second allowed: achieved / allowed rate`,
          value: averagePerSecond / requestsPerSecond,
          unit: '',
          target,
          from,
        },
        {
          what: `${requestsPerSecond} a second: refused for being too fast`,
          value: byStatus['429'] ?? 0,
          unit: '',
          target: { is: 'at most', aim: 0, floor: 0 },
          from,
        },
      ];
    });
  } finally {
    await upstream.close();
  }
}

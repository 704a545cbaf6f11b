import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type Shelves, type SmallUpstream } from '../support/small-upstream.ts';

const installation = useInstallation();
let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves: shelves({ date: '2026-03-01' }), pageSize: 24 });
});
afterAll(() => upstream.close());

/** Eight categories, each in the order of its prices: from 10 pence to 100 pounds. */
function shelves({ date, factor = 1 }: { date: string; factor?: number }): Shelves {
  const names = Array.from({ length: 8 }, (_, n) => `Department ${n + 1}`);
  const products = (n: number) =>
    Array.from({ length: 192 }, (_, i) => ({
      id: `${1000 * (n + 1) + i}`,
      price: Math.round(10 * 1.037 ** i * factor) / 100,
      breadcrumb: [names[n]!],
      // Otherwise the pages would equal those of the night before and prove nothing.
      fields: { renderedOn: date },
    }));
  return Object.fromEntries(names.map((name, n) => [name, products(n)]));
}

async function crawl(date: string, factor = 1): Promise<string[]> {
  upstream.change({ shelves: shelves({ date, factor }) });
  const runs = await crawlNight({
    installation,
    upstream: upstream.url,
    now: nightOf(date),
    regions: ['uk'],
    crawler: { despiteDrift: false },
  });
  return runs.map(({ status, verdict }) => `${status} ${verdict}`);
}

test('pages sorted by price are not drift, although the first pages are cheap every night', async () => {
  expect(await crawl('2026-03-01')).toEqual(['published complete']);
  expect(await crawl('2026-03-02')).toEqual(['published complete']);
});

test('prices multiplied by 100 are drift, whatever the order of the pages', async () => {
  await expect(crawl('2026-03-03', 100)).rejects.toThrow(/price/);
});

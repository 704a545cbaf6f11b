import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlayedClock } from '../../src/base/clock.ts';
import { crawlNights } from '../../src/cli/crawl-nights.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';

const installation = useInstallation();
const { run } = useHousehold({ book: installation });
let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 20, superDepartments: 1, date: '2026-03-01' });
});
afterAll(() => simulator.close());

test('a command crawls the same night of both regions, even if midnight passes between them', async () => {
  const regions = ['uk', 'ie'] as const;
  const runs = await withCrawler(
    { installation, upstream: simulator.url, now: new Date('2026-03-01T23:59:30Z'), clock: 'played' },
    (base, crawler) =>
      crawlNights(
        base,
        crawler,
        { regions, maxDetails: 0, signal: new AbortController().signal },
        {
          onForecast({ region }) {
            if (region === 'ie') (base.clock as PlayedClock).set(new Date('2026-03-02T00:00:10Z'));
          },
        },
      ),
  );
  expect(runs.map(({ region, snapshotDate, status }) => [region, snapshotDate, status])).toEqual(
    regions.map((region) => [region, '2026-03-01', 'published']),
  );
});

test('a command with `--now` crawls that night, even if midnight passes before it starts', async () => {
  const asked = ['--now', '2026-03-04T23:59:59.990Z', 'crawl', '--region', 'uk', '--max-details', '0'];
  const env = { GROCERY_BASE_URL: simulator.url };
  const crawled = await run(asked, env);
  expect([crawled.code, crawled.stdout]).toEqual([0, expect.stringMatching(/^uk 2026-03-04: complete/)]);
  const again = await run(asked, env);
  expect([again.code, again.stderr + again.stdout]).toEqual([
    0,
    expect.stringContaining('2026-03-04 is certified already'),
  ]);
});

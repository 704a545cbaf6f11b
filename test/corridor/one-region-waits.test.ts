import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createRefusingUpstream, type RefusingUpstream } from '../support/refusing-upstream.ts';

const installation = useInstallation();
const date = '2026-03-01';
let simulator: Simulator;
let upstream: RefusingUpstream;
beforeAll(async () => {
  simulator = await createSimulator({ items: 200, superDepartments: 4, date });
  upstream = await createRefusingUpstream(simulator.url);
});
afterAll(async () => {
  await upstream.close();
  await simulator.close();
});

test('a region without taxonomy does not block the other, and continues later', async () => {
  upstream.refuse({ status: 404, body: { message: "Endpoint '/x' does not exist" } }, 1, /ids-for-ireland/);
  await expect(crawl()).rejects.toThrow(/ie-taxonomy/);
  expect(await nights()).toEqual(['ie open', 'uk published complete']);

  upstream.refuse(null);
  const asked = upstream.asked;
  expect((await crawl()).map(({ region }) => region)).toEqual(['ie']);
  expect(upstream.asked).toBeGreaterThan(asked);
  expect(await nights()).toEqual(['ie published complete', 'uk published complete']);
});
const crawl = () => crawlNight({ installation, upstream: upstream.url, now: nightOf(date), clock: 'played' });

async function nights(): Promise<string[]> {
  const rows = await rowsOf<{ night: string }>(
    installation.db,
    `select concat_ws(' ', region, status, verdict) as night from ops.run order by 1`,
  );
  return rows.map(({ night }) => night);
}

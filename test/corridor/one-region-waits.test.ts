import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, type Installation, nightOf } from '../support/crawl.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { createRefusingUpstream, type RefusingUpstream } from '../support/refusing-upstream.ts';

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

describeOnEachQueue('a region whose taxonomy cannot be asked for', (installation) => {
  test('a region without taxonomy does not block the other, and continues later', async () => {
    upstream.refuse({ status: 404, body: { message: "Endpoint '/x' does not exist" } }, 1, /ids-for-ireland/);
    await expect(crawl(installation)).rejects.toThrow(/ie-taxonomy/);
    expect(await nights(installation)).toEqual(['ie open', 'uk published complete']);

    upstream.refuse(null);
    const asked = upstream.asked;
    expect((await crawl(installation)).map(({ region }) => region)).toEqual(['ie']);
    expect(upstream.asked).toBeGreaterThan(asked);
    expect(await nights(installation)).toEqual(['ie published complete', 'uk published complete']);
  });
});

const crawl = (installation: Installation) =>
  crawlNight({ installation, upstream: upstream.url, now: nightOf(date), clock: 'played' });

async function nights({ db }: Installation): Promise<string[]> {
  const rows = await rowsOf<{ night: string }>(
    db,
    `select concat_ws(' ', region, status, verdict) as night from ops.run order by 1`,
  );
  return rows.map(({ night }) => night);
}

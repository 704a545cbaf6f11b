import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractBroken, RunRefused } from '../../src/base/errors.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createRefusingUpstream, type RefusingUpstream } from '../support/refusing-upstream.ts';

let simulator: Simulator;
let upstream: RefusingUpstream;
beforeAll(async () => {
  simulator = await createSimulator({ items: 200, seed: 5, superDepartments: 2 });
  upstream = await createRefusingUpstream(simulator.url);
});
afterAll(async () => {
  await upstream.close();
  await simulator.close();
});

describe('on clocks set by --now, the night after one that waits', () => {
  const installation = useInstallation();
  const crawl = async (date: string) => {
    simulator.change({ date });
    await crawlNight({ installation, upstream: upstream.url, now: nightOf(date), clock: 'played', regions: ['uk'] });
  };
  const nights = async () => {
    const rows = await rowsOf<{ night: string }>(
      installation.db,
      `select concat_ws(' ', snapshot_date, status, verdict) as night from ops.run order by run_id`,
    );
    return rows.map(({ night }) => night);
  };

  test('after a waiting night without any data, the next played night is crawled', async () => {
    await crawl('2026-03-01');
    upstream.refuse({ status: 200, body: { data: { taxonomy: '' } } });
    await expect(crawl('2026-03-02')).rejects.toThrow(ContractBroken);
    upstream.refuse(null);
    await crawl('2026-03-03');
    expect(await nights()).toEqual([
      '2026-03-01 published complete',
      '2026-03-02 expired',
      '2026-03-03 published complete',
    ]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('the next played night is refused until a waiting night with pages is finished', async () => {
    upstream.refuse({ status: 401, body: { message: 'Invalid API key.' } }, 4);
    await expect(crawl('2026-03-04')).rejects.toThrow();
    upstream.refuse(null);
    await installation.db.query(`update ops.run set failure_count = 10 where status = 'open'`);
    await expect(crawl('2026-03-05')).rejects.toThrow(RunRefused);
    await crawl('2026-03-04');
    await crawl('2026-03-05');
    expect((await nights()).slice(3)).toEqual(['2026-03-04 published complete', '2026-03-05 published complete']);
  });
});

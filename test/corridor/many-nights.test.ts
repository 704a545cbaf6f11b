import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { physicalDump } from '../support/dump.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const installation = useInstallation();

describe('nights with arrivals, departures, price moves and promotions, a clock change among them', () => {
  const nights = ['2026-03-28', '2026-03-29', '2026-03-30'];
  const simulator = useSimulator({
    items: 150,
    superDepartments: 3,
    dailyChange: 0.1,
    dailyTurnover: 0.01,
    flicker: 0.01,
    promoted: 0.4,
    unavailable: 0.1,
    earlyPromotions: 0.1,
  });

  test('every night is complete', async () => {
    for (const date of nights) {
      const runs = await crawl(date);
      expect(runs.map(({ verdict, snapshotDate }) => [verdict, snapshotDate])).toEqual([
        ['complete', date],
        ['complete', date],
      ]);
    }
  });

  test('all nights can be reconstructed exactly', async () => {
    for (const date of nights) {
      for (const region of regionCodes) {
        expect(await disagreements(installation.db, simulator(), region, date)).toEqual([]);
      }
    }
  });

  test('history contains changes only, and all invariants hold', async () => {
    expect(await brokenInvariants(installation.db)).toEqual([]);
    const [moved] = await rowsOf<{ prices: number; products: number }>(
      installation.db,
      `select (select count(*) from catalog.price_spell)::int as prices,
         (select count(*) from catalog.product)::int as products`,
    );
    expect(moved!.prices).toBeGreaterThan(moved!.products);
    expect(moved!.prices).toBeLessThan(moved!.products * 2);
  });

  test('crawling the last night twice adds nothing to the catalogue', async () => {
    const before = await physicalDump(installation.db);
    const runs = await crawl(nights.at(-1)!);
    expect(runs.map(({ verdict }) => verdict)).toEqual(['complete', 'complete']);
    expect(await physicalDump(installation.db)).toEqual(before);
  });

  function crawl(date: string) {
    simulator().change({ date });
    return crawlDirectly({ installation, upstream: simulator().url, date });
  }
});

describe('a night in which nothing changed', () => {
  const simulator = useSimulator({ items: 120, superDepartments: 3, evolve: false });
  beforeAll(() => forgetEverything(installation.db));

  test('differences in notation alone write no rows, and the night is still published', async () => {
    await crawl('2026-05-01');
    const before = await physicalDump(installation.db);
    simulator().change({ ieShape: 'wrapped', iePageInformation: 'total', gzip: true });
    simulator().change({ faults: [{ kind: 'numericIds' }, { kind: 'extraField' }, { kind: 'sponsored' }] });
    const runs = await crawl('2026-05-02');
    expect(runs.map(({ verdict }) => verdict)).toEqual(['complete', 'complete']);
    expect(await physicalDump(installation.db)).toEqual(before);
    for (const region of regionCodes) {
      for (const date of ['2026-05-01', '2026-05-02']) {
        expect(await disagreements(installation.db, simulator(), region, date)).toEqual([]);
      }
    }
  });

  function crawl(date: string) {
    simulator().change({ date });
    return crawlDirectly({ installation, upstream: simulator().url, date });
  }
});

const tidied = '2026-03-01';

test('a published night stays so if tidying up after it fails, and the next night tidies up', async () => {
  const { db } = installation;
  await forgetEverything(db);
  const simulator = await createSimulator({ items: 60, superDepartments: 3, date: tidied });
  const staged = async () => (await db.query('select from stage.product')).rowCount;
  const crawl = () => crawlDirectly({ installation, upstream: simulator.url, date: tidied, regions: ['uk'] });
  await db.query(`create function public.oops() returns trigger language plpgsql as $$ begin raise 'oops'; end $$`);
  await db.query('create trigger oops before delete on stage.product for each row execute function public.oops()');
  try {
    expect(await crawl()).toMatchObject([{ status: 'published', verdict: 'complete', stop: null }]);
    expect(await staged()).toBeGreaterThan(0);
    await db.query('drop trigger oops on stage.product');
    expect(await crawl()).toMatchObject([{ status: 'published', verdict: 'complete', stop: null }]);
    expect(await staged()).toBe(0);
  } finally {
    await simulator.close();
  }
});

function useSimulator(options: SimulatorOptions): () => Simulator {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator(options);
  });
  afterAll(() => simulator?.close());
  return () => simulator;
}

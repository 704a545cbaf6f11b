import { afterEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import type { Run } from '../../src/ledger/runs.ts';
import { type RegionCode, regionCodes } from '../../src/model/index.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { disagreements, knownProducts } from '../support/truth.ts';

describe('paging, with a handful of products', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  let day = 1;
  afterEach(() => upstream?.close());

  const products = (count: number, from = 500) =>
    Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

  test('asks for each page once where totals are true', async () => {
    const [run] = await crawl({ shelves: { Bakery: products(5), Drinks: products(1, 600) } });
    expect(run!.verdict).toBe('complete');
    expect([...upstream.log].sort()).toEqual(['Bakery p1', 'Bakery p2', 'Bakery p3', 'Drinks p1']);
  });

  test('looks one page past an end that is full, and no further', async () => {
    const [run] = await crawl({ shelves: { Bakery: products(4) } });
    expect(run!.verdict).toBe('complete');
    expect([...upstream.log].sort()).toEqual(['Bakery p1', 'Bakery p2', 'Bakery p3']);
  });

  test.each([1, 2, 3, 4, 5])('finds what lies beyond a total that is %i too low', async (missing) => {
    const [run] = await crawl({ shelves: { Bakery: products(9) }, declared: (_, total) => total - missing });
    expect(await seen()).toEqual(products(9).map(({ id }) => id));
    expect(run!.verdict).toBe('complete');
  });

  test('does not follow an upstream that repeats its last page for ever', async () => {
    const last = products(4).slice(2);
    const [run] = await crawl({
      shelves: { Bakery: products(4) },
      page: ({ pageNo }, shown) => (pageNo > 2 ? last : shown),
    });
    expect(run!.verdict).toBe('complete');
    expect([...upstream.log].sort()).toEqual(['Bakery p1', 'Bakery p2', 'Bakery p3']);
  });

  test('asks again for a page that is empty where products should be, and believes the second answer', async () => {
    const [run] = await crawl({
      shelves: { Bakery: products(6) },
      page: ({ pageNo, before }, shown) => (pageNo === 2 && before === 0 ? [] : shown),
    });
    expect(run!.verdict).toBe('complete');
    expect(upstream.log.filter((asked) => asked === 'Bakery p2').length).toBe(2);
    expect((await seen()).length).toBe(6);
  });

  test('reads a category that fell short once more', async () => {
    const [run] = await crawl({
      shelves: { Bakery: products(6) },
      page: ({ pageNo, before }, shown) => (pageNo === 2 && before === 0 ? shown.slice(0, 1) : shown),
    });
    expect(run!.verdict).toBe('complete');
    expect(upstream.log.filter((asked) => asked === 'Bakery p2').length).toBe(2);
    expect((await seen()).length).toBe(6);
  });

  test('walks the children of a category whose paging ends early', async () => {
    const shelves: Shelves = {
      'Bakery|Bread': products(3),
      'Bakery|Cakes': products(3, 520),
      Drinks: products(2, 540),
    };
    const [run] = await crawl({ shelves, page: ({ pageNo }, shown) => (pageNo > 2 ? [] : shown) });
    expect(run!.verdict).toBe('complete');
    expect((await seen()).length).toBe(8);
    expect(upstream.log).toContain('Bakery|Cakes p2');
    expect(upstream.log.some((asked) => asked.startsWith('Drinks|'))).toBe(false);
  });

  test('walks further down where the children end early too', async () => {
    const shelves: Shelves = {
      'Bakery|Bread|White': products(4),
      'Bakery|Bread|Brown': products(4, 520),
      'Bakery|Cakes': products(3, 540),
    };
    const [run] = await crawl({ shelves, page: ({ pageNo }, shown) => (pageNo > 2 ? [] : shown) });
    expect((await seen()).length).toBe(11);
    expect(run!.verdict).toBe('complete');
  });

  test('is partial where even the children do not show everything', async () => {
    const shelves: Shelves = { 'Bakery|Bread': products(7), 'Bakery|Cakes': products(3, 520) };
    const [run] = await crawl({ shelves, page: ({ pageNo }, shown) => (pageNo > 2 ? [] : shown) });
    expect(run!.verdict).toBe('partial');
    expect((await seen()).length).toBe(7);
  });

  async function crawl(options: SmallUpstreamOptions): Promise<Run[]> {
    upstream = await createSmallUpstream(options);
    await forgetEverything(installation.db);
    day += 1;
    const date = `2026-09-${String(day).padStart(2, '0')}`;
    return crawlNight({ installation, upstream: upstream.url, now: nightOf(date), regions: ['uk'] });
  }

  async function seen(): Promise<string[]> {
    const date = `2026-09-${String(day).padStart(2, '0')}`;
    return [...(await knownProducts(installation.db, 'uk', date)).keys()].sort();
  }
});

describe('a listing that shows no more than so many products of a category, and counts no more', () => {
  const installation = useInstallation();

  test('is seen through, and its categories are walked by their children', async () => {
    const date = '2026-03-01';
    const simulator = await createSimulator({ items: 800, superDepartments: 2, date, listingCap: 240, pageSize: 60 });
    try {
      const runs = await crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'] });
      const found = await disagreements(installation.db, simulator, 'uk', date);
      expect(found.filter((line) => line.includes('missing') || line.includes('should not'))).toEqual([]);
      expect(runs[0]!.verdict).toBe('complete');
    } finally {
      await simulator.close();
    }
  });
});

describe('paging, with a whole catalogue', () => {
  const date = '2026-03-01';
  let simulator: Simulator;
  afterEach(() => simulator?.close());

  const both = ['complete', 'complete'] as const;
  /** How the British do it is no question of the Irish. */
  const irish = ['ie'] as const;
  const cases: readonly (readonly [string, SimulatorOptions, readonly Run['verdict'][], (readonly RegionCode[])?])[] = [
    ['Irish elements are bare', { ieShape: 'bare' }, ['complete'], irish],
    ['Irish elements are wrapped in a batch', { ieShape: 'wrapped' }, ['complete'], irish],
    ['Irish elements are pairs', { ieShape: 'product' }, ['complete'], irish],
    ['Irish elements are a mixture', { ieShape: 'mixed', iePageInformation: 'total' }, ['complete'], irish],
    ['Irish pages declare no total', { iePageInformation: 'null' }, ['complete_within_tolerance'], irish],
    [
      'Irish pages declare no total and carry advertisements even past the end',
      { iePageInformation: 'null', faults: [{ kind: 'sponsored' }] },
      ['complete', 'complete_within_tolerance'],
    ],
    ['pages hold 10', { pageSize: 10 }, both],
    ['pages hold 60', { pageSize: 60 }, both],
    ['answers are compressed', { gzip: true }, both],
    ['the taxonomy carries ids on leaves only', { taxonomyIds: 'leaves' }, both],
    ['the British taxonomy has moved', { ukTaxonomyPath: 'plural' }, ['complete'], ['uk']],
    ['null nodes lie among the products', { faults: [{ kind: 'nullNodes', count: 2 }] }, both],
    [
      'a page in nine repeats the end of the one before',
      { faults: [{ kind: 'duplicates', every: 9, times: 4 }] },
      both,
    ],
    ['totals are 30 too low', { faults: [{ kind: 'wrongTotal', delta: -30 }] }, both],
    ['a few pages come back empty once', { faults: [{ kind: 'emptyPage', every: 7, times: 5 }] }, both],
    ['a few answers fail', { faults: [{ kind: 'vendor502', every: 11, times: 4, retryAfter: '0' }] }, both],
  ];
  const installation = useInstallation();
  for (const [circumstance, options, verdicts, regions = regionCodes] of cases) {
    describe(`when ${circumstance}`, () => {
      test('the night equals the truth', async () => {
        simulator = await createSimulator({ items: 160, superDepartments: 4, date, ...options });
        await forgetEverything(installation.db);
        const runs = await crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions });
        for (const region of regions) {
          expect(await disagreements(installation.db, simulator, region, date)).toEqual([]);
        }
        const reasons = await rowsOf<{ reasons: string[] }>(
          installation.db,
          'select reasons from ops.certificate order by run_id',
        );
        expect(
          runs.map(({ verdict }) => verdict),
          reasons.flatMap((row) => row.reasons).join('\n'),
        ).toEqual([...verdicts]);
      });
    });
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { unitsAtATime } from '../../src/crawl/plan/paging.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, type SimulatorChange } from '../../src/simulator/index.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  type Asked,
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { disagreements, knownProducts } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';
import paging from './paging.json' with { type: 'json' };

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ id: String(from + i) }));

const installation = useInstallation();
describe('paging, with a handful of products', () => {
  let upstream: SmallUpstream;
  let run: Run;

  const products = (count: number, from: number) => numbered(from, count);
  const tooLow = [1, 2, 3, 4, 5] as const;
  const last = products(2, 302);
  /** One top-level category per case, because their paging is independent. */
  const shelves: Shelves = {
    Bakery: products(5, 100),
    Drinks: products(1, 110),
    Full: products(4, 200),
    Repeating: [...products(2, 300), ...last],
    'Empty once': products(6, 400),
    'Short once': products(6, 410),
    'Early|Bread': products(3, 500),
    'Early|Cakes': products(3, 520),
    'Early and short': products(2, 540),
    'Deep|Bread|White': products(4, 600),
    'Deep|Bread|Brown': products(4, 620),
    'Deep|Cakes': products(3, 640),
    ...Object.fromEntries(tooLow.map((missing) => [`${missing} too low`, products(9, 700 + 10 * missing)])),
  };

  describe('each category with other totals', () => {
    beforeAll(async () => {
      run = await crawl('2026-09-01', {
        shelves,
        declared: (path, total) => total - (/^(\d) too low$/.test(path) ? Number(path[0]) : 0),
        page: ({ path, pageNo, before }, shown) => {
          if (path === 'Repeating' && pageNo > 2) return last;
          if (path === 'Empty once' && pageNo === 2 && before === 0) return [];
          if (path === 'Short once' && pageNo === 2 && before === 0) return shown.slice(0, 1);
          if (/^(Early|Deep)/.test(path) && pageNo > 2) return [];
          return shown;
        },
      });
    });
    afterAll(() => upstream?.close());

    test('every product is found', async () => {
      expect(run.verdict).toBe('complete');
      expect(await seen('2026-09-01')).toEqual(
        Object.values(shelves)
          .flatMap((shown) => shown.map(({ id }) => id))
          .sort(),
      );
    });

    test('with correct totals each page is requested once', () => {
      expect(asked('Bakery')).toEqual(['Bakery p1', 'Bakery p2', 'Bakery p3']);
      expect(asked('Drinks')).toEqual(['Drinks p1']);
    });

    test('one page after a full last page is checked, and no more', () => {
      expect(asked('Full')).toEqual(['Full p1', 'Full p2', 'Full p3']);
    });

    test('an upstream that repeats its last page does not cause endless requests', () => {
      expect(asked('Repeating')).toEqual(['Repeating p1', 'Repeating p2', 'Repeating p3']);
    });

    test('an empty page among others is requested again, and the second response counts', () => {
      expect(asked('Empty once').filter((page) => page === 'Empty once p2')).toHaveLength(2);
    });

    test('a category with missing products is read once more', () => {
      expect(asked('Short once').filter((page) => page === 'Short once p2')).toHaveLength(2);
    });

    test('children and grandchildren of a category whose paging ends early are read', () => {
      expect(upstream.log).toEqual(expect.arrayContaining(['Early|Cakes p2', 'Deep|Bread|Brown p2']));
      expect(upstream.log.some((page) => page.startsWith('Early and short|'))).toBe(false);
    });
  });

  test('a night is partial if even the children do not show everything', async () => {
    await forgetEverything(installation.db);
    const partial = await crawl('2026-09-02', {
      shelves: { 'Bakery|Bread': products(7, 500), 'Bakery|Cakes': products(3, 520) },
      page: ({ pageNo }, shown) => (pageNo > 2 ? [] : shown),
    });
    await upstream.close();
    expect(partial.verdict).toBe('partial');
    expect((await seen('2026-09-02')).length).toBe(7);
  });

  test('a category that declares far more than it has makes the night partial with few requests', async () => {
    await forgetEverything(installation.db);
    const untrue: Readonly<Record<string, number>> = {
      High: 2_000_000,
      Uncountable: 5_000_000_000,
      'High|Bread': 90_000,
    };
    const partial = await crawl('2026-09-03', {
      shelves: { 'High|Bread': products(1, 500), Uncountable: products(3, 520), True: products(9, 540) },
      declared: (path, total) => untrue[path] ?? total,
    });
    await upstream.close();
    expect(await seen('2026-09-03')).toHaveLength(13);
    expect([partial.verdict, asked('True')]).toEqual([
      'partial',
      ['True p1', 'True p2', 'True p3', 'True p4', 'True p5'],
    ]);
    // Two planning steps of pages, none of which is accepted as empty at once, and another reading for missing
    // products.
    expect(upstream.log.length).toBeLessThan(2 * 2 * 2 * 2 * unitsAtATime(0));
  });

  async function crawl(date: string, options: SmallUpstreamOptions): Promise<Run> {
    upstream = await createSmallUpstream(options);
    return (await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] }))[0]!;
  }

  /** Requested pages of a category, with repetitions. */
  const asked = (path: string) => upstream.log.filter((page) => page.startsWith(`${path} p`)).sort();

  async function seen(date: string): Promise<string[]> {
    return [...(await knownProducts(installation.db, 'uk', date)).keys()].sort();
  }
});

const beyond = { status: 400, body: { success: false, error: 'VALIDATION_ERROR', message: 'pageNo is too large' } };

describe('paging, with a window beyond which pages are refused', () => {
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {}, pageSize: 3 });
  });
  afterAll(() => upstream?.close());
  beforeEach(() => forgetEverything(installation.db));

  async function night(date: string, change: Partial<SmallUpstreamOptions> = {}) {
    upstream.change({ instead: () => null, ...change });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], maxDetails: 0 });
    return [run!.status, run!.verdict, run!.productsListed];
  }

  test('pages refused beyond a window are read through child categories, after a few refused requests', async () => {
    const shelves = {
      'Everyday|Paper': numbered(1_000, 20),
      'Everyday|Clean': numbered(2_000, 22),
      'Food|Bread': numbered(3_000, 6),
    };
    const windowed = { shelves, instead: ({ pageNo }: Asked) => (pageNo > 8 ? beyond : null) };
    for (const date of ['2026-05-01', '2026-05-02']) {
      expect(await night(date, windowed)).toEqual(['published', 'complete', 48]);
      const refused = upstream.log.filter((page) => Number(/p(\d+)$/.exec(page)![1]) > 8);
      expect(refused.length).toBeLessThanOrEqual(6);
    }
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('a category whose second and third pages are refused limits no other category and no later night', async () => {
    const shelves = { 'Everyday|Paper': numbered(1_000, 25), 'Everyday|Clean': numbered(2_000, 24) };
    const refusing = ({ path, pageNo }: Asked) => (path === 'Everyday' && pageNo > 1 ? beyond : null);
    expect(await night('2026-05-01', { shelves, instead: refusing })).toEqual(['published', 'complete', 49]);
    const larger = { ...shelves, 'Food|Bread': numbered(3_000, 6) };
    expect(await night('2026-05-02', { shelves: larger })).toEqual(['published', 'complete', 55]);
    expect(upstream.log.filter((page) => /p[2-9]$/.test(page)).length).toBeGreaterThan(2);
  });
});

type Case = readonly [circumstance: string, shown: SimulatorChange, verdicts: readonly Run['verdict'][]];

/** Night after night the upstream shows its catalogue in another way. */
describe('paging, with a whole catalogue', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    await forgetEverything(installation.db);
    simulator = await createSimulator({ items: 120, superDepartments: 3, dailyChange: 0.1, dailyTurnover: 0.02 });
  });
  afterAll(() => simulator?.close());

  const usual = { ieShape: 'node', iePageInformation: 'totalCount', pageSize: 24, gzip: false, faults: [] } as const;
  /** From paging.json: the circumstance, how the simulator changes, and the verdicts of both regions. */
  const cases = paging as readonly unknown[] as readonly Case[];

  test.each(cases.map((night, index) => ({ date: `2026-03-0${index + 1}`, circumstance: night[0], night })))(
    'the night equals the truth when $circumstance',
    async ({ date, night }) => {
      const [, shown, verdicts] = night;
      simulator.change({ ...usual, ...shown, date });
      const runs = await crawlDirectly({ installation, upstream: simulator.url, date });
      for (const region of regionCodes) {
        expect(await disagreements(installation.db, simulator, region, date)).toEqual([]);
      }
      const reasons = await rowsOf<{ reasons: unknown[] }>(
        installation.db,
        'select reasons from ops.certificate order by run_id',
      );
      expect(
        runs.map(({ verdict }) => verdict),
        JSON.stringify(reasons),
      ).toEqual([...verdicts]);
      for (const { fired } of simulator.state().faults) expect(fired).toBeGreaterThan(0);
    },
  );
});

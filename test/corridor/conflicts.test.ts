import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { decodeCategoryId, encodeCategoryId } from '../../src/normalise/category-id.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { physicalDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallProduct,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { knownProducts } from '../support/truth.ts';

const inBakery = { id: '201', price: 1.5, breadcrumb: ['Bakery', 'Bread'] };
const dearer = { ...inBakery, price: 1.75 };
const dearest = { ...inBakery, price: 2 };
/** Category ids are compared in byte order: this is their order. */
const first = 'Bakery';
const second = 'Drinks';
const third = 'Frozen';

describe('a product that two categories show differently', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {} });
  });
  afterAll(() => upstream?.close());

  test('is kept as the first category in the order of ids shows it, whoever answered first', async () => {
    await night('2026-07-01', { [second]: [dearer], [`${first}|Bread`]: [inBakery], [third]: [dearest] });
    expect(await pricesOf('201')).toEqual(['1.50 2026-07-01..']);
    expect(await conflicts()).toEqual([{ date: '2026-07-01', product_id: '201', forms: 3 }]);
  });

  test('does not flip to and fro on the nights after', async () => {
    const before = await physicalDump(installation.db);
    await night('2026-07-02', { [third]: [dearest], [second]: [dearer], [`${first}|Bread`]: [inBakery] });
    await night('2026-07-03', { [`${first}|Bread`]: [inBakery], [second]: [dearer], [third]: [dearest] });
    expect(await physicalDump(installation.db)).toEqual(before);
    expect((await conflicts()).map(({ date, forms }) => `${date} ${forms}`)).toEqual([
      '2026-07-01 3',
      '2026-07-02 3',
      '2026-07-03 3',
    ]);
  });

  test('changes when the first category changes, whatever the others show', async () => {
    await night('2026-07-04', { [`${first}|Bread`]: [dearest], [second]: [dearer], [third]: [inBakery] });
    expect(await pricesOf('201')).toEqual(['1.50 2026-07-01..2026-07-04', '2.00 2026-07-04..']);
    expect((await conflicts()).at(-1)).toEqual({ date: '2026-07-04', product_id: '201', forms: 3 });
  });

  test('is no conflict once they agree, and belongs to all of them', async () => {
    await night('2026-07-05', { [`${first}|Bread`]: [dearest], [second]: [dearest], [third]: [dearest] });
    expect((await conflicts()).map(({ date }) => date)).not.toContain('2026-07-05');
    const known = await knownProducts(installation.db, 'uk', '2026-07-05');
    const categories = [[first], [first, 'Bread'], [second], [third]].map((names) => encodeCategoryId(names));
    expect(known.get('201')!.categories).toEqual(categories.sort());
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  function night(date: string, shelves: Shelves) {
    upstream.change({ shelves });
    return crawlNight({ installation, upstream: upstream.url, now: nightOf(date), regions: ['uk'] });
  }

  async function pricesOf(productId: string): Promise<string[]> {
    const rows = await rowsOf<{ spell: string }>(
      installation.db,
      `select (h.price_minor * 0.01)::numeric(9,2) || ' ' || h.valid_from::date || '..' || coalesce(h.valid_to::date::text, '') as spell
       from catalog.price_history h join catalog.product using (product_key) where product_id = $1 order by h.valid_from`,
      [productId],
    );
    return rows.map(({ spell }) => spell);
  }

  function conflicts() {
    return rowsOf<{ date: string; product_id: string; forms: number }>(
      installation.db,
      `select r.snapshot_date::text as date, c.product_id, c.forms from ops.conflict c join ops.run r using (run_id) order by run_id, product_id`,
    );
  }
});

describe('a product whose breadcrumb depends on the category that lists it', () => {
  const installation = useInstallation();
  const inBread = { id: '301', price: 2, breadcrumb: ['Bakery', 'Bread'] };
  const inPicnic = { ...inBread, breadcrumb: ['Summer', 'Picnic'] };
  const others = { Cakes: [{ id: '302', price: 1 }], Frozen: [{ id: '303', price: 1 }] };
  const everywhere: Shelves = { ...others, 'Bakery|Bread': [inBread], 'Summer|Picnic': [inPicnic] };
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {} });
  });
  afterAll(() => upstream?.close());

  test('belongs to the deepest category of each', async () => {
    await night('2026-08-01', everywhere);
    expect(await categories('2026-08-01')).toEqual(['Bakery', 'Bakery|Bread', 'Summer', 'Summer|Picnic']);
    await expectNothingNew('2026-08-02', everywhere);
  });

  test('leaves none of them on a night that could not read one', async () => {
    const [run] = await night('2026-08-03', everywhere, {
      declared: (path, total) => total + (path === 'Bakery' ? 1 : 0),
    });
    expect(run!.verdict).toBe('partial');
    upstream.change({ shelves: everywhere, page: ({ path }, products) => (path.startsWith('Bakery') ? [] : products) });
    const [blind] = await crawl('2026-08-04');
    expect(blind!.verdict).toBe('partial');
    expect(await categories('2026-08-04')).toEqual(['Bakery', 'Bakery|Bread', 'Summer', 'Summer|Picnic']);
    await night('2026-08-05', everywhere);
    expect(await categories('2026-08-05')).toEqual(['Bakery', 'Bakery|Bread', 'Summer', 'Summer|Picnic']);
  });

  test('leaves the one that lists it no longer, whichever it was called after', async () => {
    await night('2026-08-06', { ...everywhere, 'Summer|Picnic': [] });
    expect(await categories('2026-08-06')).toEqual(['Bakery', 'Bakery|Bread']);
    await night('2026-08-07', everywhere);
    await night('2026-08-08', { ...everywhere, 'Bakery|Bread': [] });
    expect(await categories('2026-08-08')).toEqual(['Summer', 'Summer|Picnic']);
    await expectNothingNew('2026-08-09', { ...everywhere, 'Bakery|Bread': [] });
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  const honest = {
    declared: (_: string, total: number) => total,
    page: (_: unknown, products: readonly SmallProduct[]) => products,
  };

  function night(date: string, shelves: Shelves, change: Partial<SmallUpstreamOptions> = {}) {
    upstream.change({ ...honest, ...change, shelves });
    return crawl(date);
  }

  function crawl(date: string) {
    return crawlNight({ installation, upstream: upstream.url, now: nightOf(date), regions: ['uk'] });
  }

  async function expectNothingNew(date: string, shelves: Shelves): Promise<void> {
    const before = await physicalDump(installation.db);
    await night(date, shelves);
    expect(await physicalDump(installation.db)).toEqual(before);
  }

  async function categories(date: string): Promise<string[]> {
    const known = await knownProducts(installation.db, 'uk', date);
    return known
      .get('301')!
      .categories.map((id) => decodeCategoryId(id)!.join('|'))
      .sort();
  }
});

describe('a whole catalogue whose second listings show another price', () => {
  const installation = useInstallation();

  test('settles once: crawled again, and crawled on, it writes nothing', async () => {
    const simulator = await createSimulator({
      items: 250,
      superDepartments: 6,
      evolve: false,
      faults: [{ kind: 'conflictingPrice' }],
    });
    try {
      const crawl = (date: string) =>
        crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'], again: true });
      await crawl('2026-07-01');
      const before = await physicalDump(installation.db);
      await crawl('2026-07-01');
      await crawl('2026-07-02');
      expect(await physicalDump(installation.db)).toEqual(before);
      const counts = await rowsOf<{ conflicts: number }>(
        installation.db,
        'select count(*)::int as conflicts from ops.conflict group by run_id order by run_id',
      );
      expect(counts.length).toBe(3);
      expect(counts[0]!.conflicts).toBeGreaterThan(10);
      expect(counts.map(({ conflicts }) => conflicts)).toEqual(Array(3).fill(counts[0]!.conflicts));
    } finally {
      await simulator.close();
    }
  });
});

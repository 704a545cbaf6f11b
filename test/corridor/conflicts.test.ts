import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { encodeCategoryId } from '../../src/normalise/category-id.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { physicalDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type Shelves, type SmallUpstream } from '../support/small-upstream.ts';
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

describe('a whole catalogue whose second listings show another price', () => {
  const installation = useInstallation();

  test('settles once: crawled again, and crawled on, it writes nothing', async () => {
    const simulator = await createSimulator({ items: 400, evolve: false, faults: [{ kind: 'conflictingPrice' }] });
    try {
      const crawl = (date: string) => crawlNight({ installation, upstream: simulator.url, now: nightOf(date) });
      await crawl('2026-07-01');
      const before = await physicalDump(installation.db);
      await crawl('2026-07-01');
      await crawl('2026-07-02');
      expect(await physicalDump(installation.db)).toEqual(before);
      const counts = await rowsOf<{ conflicts: number }>(
        installation.db,
        'select count(*)::int as conflicts from ops.conflict group by run_id order by run_id',
      );
      expect(counts.length).toBe(6);
      expect(counts[0]!.conflicts).toBeGreaterThan(10);
      expect(counts.map(({ conflicts }) => conflicts).filter((_, i) => i % 2 === 0)).toEqual(
        Array(3).fill(counts[0]!.conflicts),
      );
    } finally {
      await simulator.close();
    }
  });
});

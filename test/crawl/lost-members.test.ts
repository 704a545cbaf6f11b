import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

describe('a category that from one night to the next shows far less of what others show, too', () => {
  const installation = useInstallation();
  const bread: SmallProduct[] = Array.from({ length: 30 }, (_, index) => ({
    id: String(100 + index),
    breadcrumb: ['Bakery'],
  }));
  const own = [{ id: '900' }, { id: '901' }];
  const shelves = (shared: number, moved = 0) => ({
    Bakery: bread,
    Offers: [...own, ...bread.slice(0, shared)],
    // It comes with what it shows.
    ...(moved > 0 ? { Summer: [{ id: '902' }, ...bread.slice(0, moved)] } : {}),
  });
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: shelves(24), pageSize: 24 });
  });
  afterAll(() => upstream.close());

  async function crawl(date: string, shared: number, moved = 0) {
    upstream.change({ shelves: shelves(shared, moved) });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
    const [row] = await rowsOf<{ reasons: string[]; offered: number }>(
      installation.db,
      `select reasons, (
         select count(*)::int from marts.product_category_now
         join marts.dim_category c using (category_key) where c.path = 'Offers') as offered
       from ops.certificate where run_id = $1`,
      [run!.runId],
    );
    return { verdict: run!.verdict, ...row! };
  }

  test('products missing from a shrunken category are removed if the next night agrees', async () => {
    expect(await crawl('2026-03-01', 24)).toEqual({ verdict: 'complete', reasons: [], offered: 26 });
    expect(await crawl('2026-03-02', 4)).toEqual({
      verdict: 'complete_within_tolerance',
      reasons: [
        'Offers: 20 of its products are now listed by other categories only; ' +
          'they stay in it until another night agrees',
      ],
      offered: 26,
    });
    expect(await crawl('2026-03-03', 4)).toEqual({ verdict: 'complete', reasons: [], offered: 6 });
  });

  test('a handful of missing products is removed at once', async () => {
    expect(await crawl('2026-03-04', 0)).toEqual({ verdict: 'complete', reasons: [], offered: 2 });
  });

  test('products that another category shows from that night on are moved at once', async () => {
    expect(await crawl('2026-03-05', 24)).toEqual({ verdict: 'complete', reasons: [], offered: 26 });
    expect(await crawl('2026-03-06', 0, 24)).toEqual({ verdict: 'complete', reasons: [], offered: 2 });
  });
});

describe('a category that is read through its children because listings are suddenly truncated', () => {
  const installation = useInstallation();
  const bread: SmallProduct[] = Array.from({ length: 40 }, (_, index) => ({
    id: String(100 + index),
    breadcrumb: ['Bakery'],
  }));
  const pageSize = 3;
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {}, pageSize });
  });
  afterAll(() => upstream.close());

  async function crawl(date: string, shared: number, cutOffAt: number) {
    upstream.change({
      shelves: { Bakery: bread, 'Offers|Bread': bread.slice(0, shared), 'Offers|More': [{ id: '900' }, { id: '901' }] },
      declared: (path, total) => (path.startsWith('Offers') ? Math.min(total, cutOffAt) : total),
      page: ({ path, pageNo }, shown) => (path.startsWith('Offers') && pageNo * pageSize > cutOffAt ? [] : shown),
    });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
    const [row] = await rowsOf<{ reasons: string[]; offered: number }>(
      installation.db,
      `select reasons, (
         select count(distinct product_key)::int from marts.product_category_now
         join marts.dim_category c using (category_key) where c.path like 'Offers%') as offered
       from ops.certificate where run_id = $1`,
      [run!.runId],
    );
    return { verdict: run!.verdict, ...row! };
  }

  test.each([
    ['a handful', 3, 12, 6],
    ['many', 4, 30, 24],
  ])('%s that no child shows is kept with a reason until another night agrees', async (_, month, shared, lost) => {
    const night = (day: number, cutOffAt: number) => crawl(`2026-0${month}-0${day}`, shared, cutOffAt);
    expect(await night(1, 1_000)).toMatchObject({ verdict: 'complete', offered: shared + 2 });
    expect(await night(2, 6)).toEqual({
      verdict: 'complete_within_tolerance',
      reasons: [
        `Offers: ${lost} of its products are now listed by other categories only; ` +
          'they stay in it until another night agrees',
      ],
      offered: shared + 2,
    });
    expect(await night(3, 6)).toEqual({ verdict: 'complete', reasons: [], offered: shared - lost + 2 });
    expect(await night(4, 1_000)).toEqual({ verdict: 'complete', reasons: [], offered: shared + 2 });
  });
});

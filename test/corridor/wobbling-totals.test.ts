import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const department = (name: string, first: number, count: number): Shelves => ({
  [`${name}|Shelf`]: Array.from({ length: count }, (_, i) => ({ id: String(first + i), breadcrumb: [name, 'Shelf'] })),
});
const shelves: Shelves = { ...department('Drinks', 10_000, 1_260), ...department('Food', 20_000, 840) };

describe('totals that differ from page to page', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize: 24 });
  });
  beforeEach(() => forgetEverything(installation.db));
  afterAll(() => upstream?.close());

  async function night(date: string, change: Partial<SmallUpstreamOptions>) {
    upstream.change({ shelves, page: (_, products) => products, declared: (_, total) => total, ...change });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
    const [row] = await rowsOf<{ reasons: readonly { code: string; path?: string; figures: number[] }[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [run!.runId],
    );
    return {
      verdict: run!.verdict,
      products: run!.productsListed,
      requests: upstream.log.length,
      reasons: row?.reasons,
    };
  }
  const nights = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'];
  const inTurn = (offsets: readonly number[]) => {
    let n = 0;
    return (_: string, total: number) => Math.max(0, total + offsets[n++ % offsets.length]!);
  };

  const offsets = {
    'around the truth': [-2, 3, 0, 1, -1],
    'above it': [1, 5, 2, 4, 3],
    'below it': [-1, -5, -2, -4, -3],
    'far around it': [-60, 55, 0, 30, -25],
  };

  test.each(Object.entries(offsets))(
    'nights whose totals are %s are complete, with half the pages read twice',
    async (_, each) => {
      const declared = inTurn(each);
      for (const date of nights) {
        const { verdict, products, requests, reasons } = await night(date, { declared });
        expect([verdict, products, reasons]).toEqual(['complete', 2_100, []]);
        expect(requests, 'a total that is 55 too high plans three more').toBeLessThanOrEqual(1.5 * (92 + 3));
      }
    },
  );

  test('a night whose first pages alone declare more is complete', async () => {
    let before = '';
    const declared = (path: string, total: number) => {
      const isFirst = path !== before;
      before = path;
      return isFirst ? total + 3 : total;
    };
    expect(await night(nights[0]!, { declared })).toMatchObject({ verdict: 'complete', products: 2_100 });
  });

  test.each<[string, Required<SmallUpstreamOptions>['page']]>([
    ['lacks products in the middle', ({ pageNo }, products) => (pageNo === 20 ? products.slice(5) : products)],
    [
      'ends by a page too early',
      ({ pageNo, path }, products) => (pageNo >= (path === 'Food' ? 35 : 53) ? [] : products),
    ],
    ['ends by ten pages too early', ({ pageNo }, products) => (pageNo > 25 ? [] : products)],
  ])('a listing whose totals vary and that %s is partial', async (_, page) => {
    const shelf = department('Food', 20_000, 840)['Food|Shelf']!;
    const { verdict } = await night(nights[0]!, {
      declared: inTurn([-2, 3, 0, 1, -1]),
      page,
      shelves: { Food: shelf },
    });
    expect(verdict).toBe('partial');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type Shelves, type SmallUpstream, type SmallUpstreamOptions } from '../support/small-upstream.ts';
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
      installation.db, 'select reasons from ops.certificate where run_id = $1', [run!.runId]);
    return { verdict: run!.verdict, products: run!.productsListed, requests: upstream.log.length, reasons: JSON.stringify(row?.reasons) };
  }
  const nights = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'];
  const inTurn = (offsets: readonly number[]) => {
    let n = 0;
    return (_: string, total: number) => Math.max(0, total + offsets[n++ % offsets.length]!);
  };

  test.each([
    ['about the truth', [-2, 3, 0, 1, -1]],
    ['high', [1, 5, 2, 4, 3]],
    ['low', [-1, -5, -2, -4, -3]],
    ['wide', [-60, 55, 0, 30, -25]],
  ])('MEASURE %s', async (kind, offsets) => {
    const declared = inTurn(offsets);
    for (const date of nights) console.log('WOBBLE', kind, JSON.stringify(await night(date, { declared })));
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const products = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ id: String(from + i) }));

const installation = useInstallation();
let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({
    shelves: {
      'Everyday|Paper': products(1_000, 20),
      'Everyday|Clean': products(2_000, 22),
      'Food|Bread': products(3_000, 6),
    },
    pageSize: 3,
    instead: ({ pageNo }) =>
      pageNo > 8
        ? { status: 400, body: { success: false, error: 'VALIDATION_ERROR', message: 'pageNo is too large' } }
        : null,
  });
});
afterAll(() => upstream?.close());

async function night(date: string) {
  upstream.change({});
  const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], maxDetails: 0 });
  const refused = upstream.log.filter((page) => Number(/p(\d+)$/.exec(page)![1]) > 8).length;
  return [run!.status, run!.verdict, run!.productsListed, refused];
}

test('pages refused beyond a window are read through child categories and not requested again', async () => {
  const first = await night('2026-05-01');
  expect(first.slice(0, 3)).toEqual(['published', 'complete', 48]);
  expect(first[3]).toBeLessThanOrEqual(6);
  expect(await night('2026-05-02')).toEqual(['published', 'complete', 48, 0]);
  expect(await rowsOf(installation.db, 'select last_page from ops.page_window')).toEqual([{ last_page: 8 }]);
  expect(await brokenInvariants(installation.db)).toEqual([]);
});

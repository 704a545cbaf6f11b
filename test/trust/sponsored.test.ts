import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { crawlDirectly } from './direct-book.ts';

const shelves: Shelves = {
  Bakery: [{ id: '101' }, { id: '102' }, { id: '103' }],
  Drinks: [{ id: '201' }, { id: '202' }],
};
const advertised = { id: '201', breadcrumb: ['Drinks'] };

describe('advertisements on top of a page', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize: 2 });
  });
  afterAll(() => upstream.close());

  test('advertisements change nothing if all products are there beside them', async () => {
    const { verdict } = await crawl('2026-05-01', {
      page: ({ path, pageNo }, shown) => (path === 'Bakery' && pageNo === 1 ? [...shown, advertised] : shown),
    });
    expect(verdict).toBe('complete');
  });

  test('advertisements do not make up for a missing product, and report none as gone', async () => {
    await crawl('2026-05-02', {});
    const { verdict, reasons } = await crawl('2026-05-03', {
      page: ({ path, pageNo }, shown) => {
        if (path !== 'Bakery') return shown;
        return pageNo === 1 ? [...shown, advertised] : [];
      },
    });
    expect(verdict).toBe('complete_within_tolerance');
    expect(reasons).toEqual([{ code: 'category_short', path: 'Bakery', figures: [2, 3, 0] }]);
    const gone = await rowsOf(
      installation.db,
      `select 1 from catalog.availability_spell where availability = 'absent'`,
    );
    expect(gone).toEqual([]);
  });

  async function crawl(date: string, options: Partial<SmallUpstreamOptions>) {
    upstream.change({ page: (_, shown) => shown, ...options });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
    const [row] = await rowsOf<{ reasons: unknown[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [run!.runId],
    );
    return { verdict: run!.verdict, reasons: row!.reasons };
  }
});

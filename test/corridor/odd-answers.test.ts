import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

/** Ten products on each shelf of three departments. */
const shelves: Shelves = Object.fromEntries(
  ['Bakery', 'Drinks', 'Fresh Food'].map((top, index) => [
    `${top}|Shelf`,
    Array.from({ length: 10 }, (_, i) => ({ id: String(1_000 * (index + 1) + i), breadcrumb: [top, 'Shelf'] })),
  ]),
);

describe('a night on which', () => {
  const installation = useInstallation(undefined, { isForEachTry: true });
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize: 4 });
  });
  beforeEach(() => upstream.change({ counts: {} }));
  afterAll(() => upstream?.close());

  async function night(date: string, change: Partial<SmallUpstreamOptions> = {}) {
    upstream.change(change);
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
    const [certificate] = await rowsOf<{ reasons: string[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [run!.runId],
    );
    return { ...run!, reasons: certificate?.reasons ?? [], asked: upstream.log.length };
  }

  test('every page says that it holds none is read and certified, and so is the next', async () => {
    const odd = await night('2026-05-01', { counts: { resultsPerPage: 0 } });
    expect([odd.status, odd.verdict, odd.productsListed]).toEqual(['published', 'complete', 30]);
    // As earlier versions noted it.
    await installation.db.query('update ops.category_crawl set results_per_page = 0');
    const usual = await night('2026-05-02', { counts: {} });
    expect([usual.verdict, usual.productsListed]).toEqual(['complete', 30]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });
});

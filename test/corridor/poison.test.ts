import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maxPageAttempts } from '../../src/crawl/ledger/pages.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { failuresToStop } from '../../src/gateway/limits/terms.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

describe('a page that fails every time', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeEach(() => forgetEverything(installation.db));
  afterEach(() => simulator?.close());

  test('a page that always fails costs only its own products, and the night is partial', {
    timeout: 180_000,
  }, async () => {
    simulator = await createSimulator({ items: 300, superDepartments: 4, date: '2026-03-01', evolve: false });
    await crawl('2026-03-01');
    const categories = await rowsOf<{ id: string }>(
      installation.db,
      'select category_id as id from ops.category_crawl where declared_last > 24 order by 1 limit 2',
    );
    const [one, other] = categories.map(({ id }) => id);

    simulator.change({
      faults: [
        { kind: 'html200', categories: [one!], pages: [2] },
        { kind: 'successFalse200', categories: [other!], pages: [2] },
        ...(['html200', 'successFalse200'] as const).map((kind) => ({ kind, endpoint: 'none' })),
      ],
    });
    const run = await crawl('2026-03-02');
    expect([run.status, run.verdict]).toEqual(['published', 'partial']);
    expect(await disagreements(installation.db, simulator, 'uk', '2026-03-02')).toEqual([]);
    const failed = await rowsOf(
      installation.db,
      `select distinct c.category_id as category, p.page_no as page
       from ops.category_page p join ops.category_crawl c using (run_id, category_no)
       where p.run_id = $1 and p.status = 'failed' order by 1`,
      [run.runId],
    );
    expect(failed).toEqual([one, other].map((category) => ({ category, page: 2 })));
    expect(await brokenInvariants(installation.db)).toEqual([]);

    simulator.change({ faults: [] });
    expect(await crawl('2026-03-03')).toMatchObject({ verdict: 'complete' });
  });

  async function crawl(date: string): Promise<Run> {
    simulator.change({ date });
    return (await crawlDirectly({ installation, upstream: simulator.url, date, regions: ['uk'] }))[0]!;
  }

  test.each([1, 4])(
    'if all pages fail the run waits, and nothing is missing in the end: %i concurrent requests',
    { timeout: 180_000 },
    async (atOnce) => {
      simulator = await createSimulator({ items: 200, superDepartments: 4, date: '2026-03-01' });
      const night = {
        installation,
        upstream: simulator.url,
        now: nightOf('2026-03-01'),
        regions: ['uk'] as const,
        maxDetails: 15,
        env: { REQUEST_CONCURRENCY: String(atOnce) },
      };
      simulator.change({ faults: [{ kind: 'vendor500', endpoint: 'category-page', after: 5 }] });
      await expect(crawlNight(night)).rejects.toMatchObject({ name: 'UpstreamUnavailable', exitCode: 69 });
      const failed = await rowsOf(installation.db, `select 1 from ops.category_page where status = 'failed'`);
      // This number of failures in a row stops the listing. Others may fail while the last responses arrive.
      const failures = failuresToStop + 2 * (atOnce - 1);
      expect(failed.length).toBeLessThanOrEqual(Math.floor(failures / maxPageAttempts));

      simulator.change({ faults: [] });
      const [run] = await crawlNight(night);
      expect(run!.status).toBe('published');
      expect(await disagreements(installation.db, simulator, 'uk', '2026-03-01')).toEqual([]);
      const details = await rowsOf(
        installation.db,
        'select status, count(*)::int as products from ops.detail_fetch group by status',
      );
      expect(details).toEqual([{ status: 'done', products: 15 }]);
    },
  );
});

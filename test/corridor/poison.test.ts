import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { maxPageAttempts } from '../../src/ledger/pages.ts';
import { failuresToStop } from '../../src/limits/circuit-breaker.ts';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

describe('a page that fails every time', () => {
  let simulator: Simulator;
  afterEach(() => simulator?.close());

  const poisons: readonly FaultRule['kind'][] = ['html200', 'vendor400'];
  for (const kind of poisons) {
    describe(`with ${kind}`, () => {
      const installation = useInstallation();
      beforeEach(() => forgetEverything(installation.db));

      test('costs its own products only: the others are kept, the night is partial, nothing is gone', {
        timeout: 180_000,
      }, async () => {
        simulator = await createSimulator({ items: 300, superDepartments: 4, date: '2026-03-01', evolve: false });
        await crawl('2026-03-01');
        const [{ category_id: categoryId }] = (await rowsOf<{ category_id: string }>(
          installation.db,
          `select category_id from ops.category_crawl where declared_last > 24 order by category_id limit 1`,
        )) as [{ category_id: string }];

        simulator.change({
          faults: [
            { kind, categories: [categoryId], pages: [2] },
            { kind, endpoint: 'none' },
          ],
        });
        const [run] = await crawl('2026-03-02');
        expect([run!.status, run!.verdict]).toEqual(['published', 'partial']);
        expect(await disagreements(installation.db, simulator, 'uk', '2026-03-02')).toEqual([]);
        const [failed] = await rowsOf(
          installation.db,
          `select count(distinct page_no)::int as pages from ops.category_page where run_id = $1 and status = 'failed'`,
          [run!.runId],
        );
        expect(failed).toEqual({ pages: 1 });
        expect(await brokenInvariants(installation.db)).toEqual([]);

        simulator.change({ faults: [] });
        const [mended] = await crawl('2026-03-03');
        expect(mended!.verdict).toBe('complete');
      });

      function crawl(date: string) {
        simulator.change({ date });
        return crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'] });
      }
    });
  }

  describe('everywhere', () => {
    const installation = useInstallation();
    beforeEach(() => forgetEverything(installation.db));

    test.each([1, 4])(
      'makes the run wait; of the few pages given up until that was noticed nothing is missing in the end: %i asked at once',
      {
        timeout: 180_000,
      },
      async (atOnce) => {
        simulator = await createSimulator({ items: 300, superDepartments: 6, date: '2026-03-01' });
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
        // So many failures in a row stop the listing. Others may fail while the last success, or the last of them, is on its way.
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
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { shelvesOf } from '../support/shelves.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

describe('a category that only fails', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 240, superDepartments: 4, date: '2026-03-01', evolve: false });
    expect(await crawl('2026-03-01')).toMatchObject({ verdict: 'complete' });
  });
  afterAll(() => simulator?.close());

  test.each<[FaultRule['kind'], string]>([
    ['vendor500', '2026-03-02'],
    ['gateway502', '2026-03-03'],
  ])(
    'a category that only returns %s does not stop others, and the night is partial at limited cost',
    { timeout: 180_000 },
    async (kind, date) => {
      // The category with the most descendants, so that it fails more often in a row than an available upstream would.
      const [failing] = shelvesOf(simulator, date).sort((a, b) => b.below.length - a.below.length);
      const { categoryId, below } = failing!;
      expect(below.length).toBeGreaterThan(20);
      simulator.change({ faults: [{ kind, categories: [categoryId, ...below] }] });
      const run = await crawl(date);
      expect([run.status, run.verdict]).toEqual(['published', 'partial']);
      const unread = await rowsOf<{ categoryId: string; pages: number }>(
        installation.db,
        `select c.category_id as "categoryId", count(*)::int as pages
       from ops.category_page p join ops.category_crawl c using (run_id, category_no)
       where p.run_id = $1 and p.status = 'failed' group by 1`,
        [run.runId],
      );
      const ofFailing = (id: string) => decodeCategoryId(id)![0] === decodeCategoryId(categoryId)![0];
      expect(unread.length).toBeGreaterThan(20);
      expect(unread.filter((category) => !ofFailing(category.categoryId))).toEqual([]);
      const [spent] = await rowsOf<{ failed: number }>(
        installation.db,
        'select sum(failed)::int as failed from ops.spend where run_id = $1',
        [run.runId],
      );
      // Three readings, one request each, and a few retries.
      expect(spent!.failed).toBeLessThan(4 * (1 + below.length));
      expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
      expect(await brokenInvariants(installation.db)).toEqual([]);
    },
  );

  test('a failing category is complete on the next night on which it responds', async () => {
    simulator.change({ faults: [] });
    expect(await crawl('2026-03-04')).toMatchObject({ snapshotDate: '2026-03-04', verdict: 'complete' });
  });

  async function crawl(date: string): Promise<Run> {
    simulator.change({ date });
    return (await crawlDirectly({ installation, upstream: simulator.url, date, regions: ['uk'] }))[0]!;
  }
});

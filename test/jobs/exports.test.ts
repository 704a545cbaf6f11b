import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { followNights } from '../../jobs/follow-nights.ts';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { crawlNights } from '../../src/cli/crawl-nights.ts';
import { brokenPromises, fileOf, nightsIn } from '../export/read-lake.ts';
import { readParquet } from '../export/read-parquet.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { insert, runRow } from '../support/insert.ts';

const { signal } = new AbortController();

describe('an export', () => {
  const database = useDatabase();
  const root = mkdtempSync(join(tmpdir(), 'pricebook-exported-'));
  const lake = join(root, 'lake');
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const night = async (date: string) => ({
    installation: { databaseUrl: database.url },
    upstream: null,
    now: nightOf(date),
    regions: ['ie'] as const,
    env: { EXPORT_DIR: lake },
    crawler: { simulator: { seed: 11, items: 80, superDepartments: 3 } },
  });
  const areExported = (...dates: string[]) =>
    vi.waitFor(() => expect(nightsIn(lake).map((each) => each.snapshot_date)).toEqual(dates), 60_000);

  it('an export that cannot write does not affect the certificate of a night', async () => {
    // Where the folder should be there is a file.
    writeFileSync(lake, '');
    const logged: string[] = [];
    const options = { ...(await night('2026-03-01')), logged };
    await withCrawler(options, async (base, crawler) => {
      const [run] = await crawlNights(base, crawler, { regions: ['ie'], maxDetails: 0, signal });
      expect(run?.verdict).toBe('complete');
      await vi.waitFor(
        () => expect(logged.join('')).toContain('a night could not be exported; trying again later'),
        60_000,
      );
    });
    rmSync(lake);
  });

  it('an export follows a certified night and makes up for missing earlier exports', async () => {
    await withCrawler(await night('2026-03-02'), async (base, crawler) => {
      await crawlNights(base, crawler, { regions: ['ie'], maxDetails: 0, signal });
      await areExported('2026-03-01', '2026-03-02');
    });
    const { rows } = await database.db.query(
      `select product_id from marts.as_of('ie', '2026-03-01') order by product_id collate "C"`,
    );
    const prices = await readParquet(fileOf(lake, 'prices', 'ie', '2026-03-01'));
    expect(prices.map(({ product_id }) => ({ product_id }))).toEqual(rows);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('`watch-runs` requests an export', async () => {
    rmSync(lake, { recursive: true });
    // Given up, so that `watch-runs` opens no night of the uk.
    const at = nightOf('2026-03-02');
    const abandoned = { status: 'abandoned', origin: 'schedule', verdict: null };
    await insert(database.db, 'ops.run', [runRow(at.toISOString(), abandoned)]);
    const options = await night('2026-03-02');
    const crawler = { ...options.crawler, jobs: [watchRuns, followNights] };
    await withCrawler({ ...options, crawler }, async (_, { context }) => {
      await context.queues.enqueue(watchRuns, {});
      await areExported('2026-03-01', '2026-03-02');
    });
  });
});

import { describe, expect, test } from 'vitest';
import { madeOnce } from '../support/made-once.ts';
import { type TestInstallation, useInstallation } from '../support/queue-backends.ts';
import { crawlDirectly } from '../trust/direct-book.ts';
import { exporterTo, useFolders } from './lake.ts';
import { brokenPromises, filesIn, nightsIn } from './read-lake.ts';

const { signal } = new AbortController();

const crawl = (installation: Omit<TestInstallation, 'db' | 'loseQueue'>, date: string) =>
  crawlDirectly({
    installation,
    upstream: null,
    date,
    regions: ['uk'],
    crawler: { simulator: { items: 60, superDepartments: 2 } },
  });

const firstNight = () => madeOnce('copies', (making) => crawl(making, '2026-03-01'));

describe('a folder to which another copy of the database has exported', () => {
  const original = useInstallation(undefined, { from: firstNight });
  const copy = useInstallation(undefined, { from: firstNight });
  const late = useInstallation(undefined, { from: firstNight });
  const folders = useFolders();
  const options = { format: 'parquet', includePartial: false, signal } as const;
  const night = (snapshotDate: string) => ({ region: 'uk', snapshotDate }) as const;
  const exported = () => nightsIn(folders.lake).map(({ snapshot_date: date }) => date);

  test('a copy or restored backup that lacks an exported night is refused', async () => {
    await crawl(original, '2026-03-02');
    await exporterTo(original.db, folders).exportOwed(signal);
    await crawl(copy, '2026-03-03');
    const before = filesIn(folders.lake);
    await expect(exporterTo(copy.db, folders).export(night('2026-03-03'), options)).rejects.toThrow(
      /uk 2026-03-02 \(run 2\) as this database never had it: a copy .* restored from a backup.*empty this one/,
    );
    await exporterTo(copy.db, folders).exportOwed(signal);
    // Nor does a night leave the folder that is partial in the copy alone.
    await copy.db.query(`update ops.run set verdict = 'partial'`);
    await exporterTo(copy.db, folders).exportOwed(signal);
    expect(filesIn(folders.lake)).toEqual(before);
    expect(exported()).toEqual(['2026-03-01', '2026-03-02']);
  });

  test('a copy that has changed an exported night less often is refused', async () => {
    await crawl(original, '2026-03-02');
    await exporterTo(original.db, folders).exportOwed(signal);
    const before = filesIn(folders.lake);
    await crawl(late, '2026-03-02');
    await exporterTo(late.db, folders).exportOwed(signal);
    await expect(exporterTo(late.db, folders).export(night('2026-03-02'), options)).rejects.toThrow(
      /uk 2026-03-02 \(run 3\) as this database never had it/,
    );
    expect(filesIn(folders.lake)).toEqual(before);
    expect(brokenPromises(folders.lake)).toEqual([]);
  });

  test('the database whose nights were exported may continue to export', async () => {
    await crawl(original, '2026-03-03');
    await exporterTo(original.db, folders).exportOwed(signal);
    expect(exported()).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  });
});

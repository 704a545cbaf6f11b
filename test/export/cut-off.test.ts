import { cpSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { clockFrom } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { Destination } from '../../src/followers/export/destination.ts';
import { createExporter } from '../../src/followers/export/exporter.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import { useDatabase } from '../support/database.ts';
import { exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { brokenPromises, filesIn, manifestIn } from './read-lake.ts';

const { signal } = new AbortController();
const night = { region: 'uk', snapshotDate: '2026-03-04' } as const;

describe('an export that is cut off', () => {
  const database = useDatabase();
  const folders = useFolders();
  const { lake, home } = folders;
  const before = `${lake}-before`;

  beforeAll(async () => {
    await fillCertifiedNights(database.db);
    await exporterTo(database.db, { lake: before, home }).export(night, {
      format: 'parquet',
      includePartial: false,
      signal,
    });
    await database.db.query(`update ops.run set verdict = 'complete' where run_id = 6`);
    await database.db.query(`update ops.certificate set verdict = 'complete' where run_id = 6`);
  });

  /** A folder that fails after a number of operations, as if the process had been killed. */
  const dyingFolder = (calls: number): Destination => {
    const folder = createFolder(lake);
    let left = calls;
    const dying =
      <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        left-- > 0 ? act(...args) : Promise.reject(new Error('killed'));
    return {
      name: folder.name,
      put: dying(folder.put),
      digest: dying(folder.digest),
      list: dying(folder.list),
      remove: dying(folder.remove),
      readText: dying(folder.readText),
      writeText: dying(folder.writeText),
    };
  };

  it('an interrupted export leaves a manifest whose files exist, and the next one completes it', async () => {
    const runs: number[] = [];
    for (let calls = 0, isWhole = false; !isWhole; calls++) {
      rmSync(lake, { recursive: true, force: true });
      cpSync(before, lake, { recursive: true });
      const destination = dyingFolder(calls);
      const log = createLog({ level: 'silent' });
      const clock = clockFrom(new Date('2026-03-10T00:00:00Z'));
      const exporter = createExporter({ db: database.db, clock, log, destination, home });
      isWhole = await exporter.export(night, { format: 'parquet', includePartial: false, signal }).then(
        () => true,
        () => false,
      );
      expect(brokenPromises(lake), `after ${calls} calls`).toEqual([]);
      runs.push(manifestIn(lake).nights[0]!.run_id);
      if (calls % 5 === 0 && !isWhole) {
        await exporterTo(database.db, folders).export(night, { format: 'parquet', includePartial: false, signal });
        const paths = Object.keys(filesIn(lake)).filter((path) => path !== '_manifest.json');
        expect(paths.sort()).toEqual(
          manifestIn(lake)
            .nights.flatMap(({ files }) => files.map(({ path }) => path))
            .sort(),
        );
      }
    }
    // First the run that was named before, from some call on the new one, and never anything else.
    expect([...new Set(runs)]).toEqual([5, 6]);
    expect(runs.indexOf(6)).toBeGreaterThan(10);
  });

  it('an interrupted export ends at any point and leaves the database responsive', async () => {
    for (const afterMs of [0, 5, 20, 60]) {
      const stop = new AbortController();
      const stopped = new Error('asked to end');
      setTimeout(() => stop.abort(stopped), afterMs);
      const ended = await exporterTo(database.db, folders)
        .export(night, { format: 'parquet', includePartial: false, signal: stop.signal })
        .catch((error) => error);
      if (ended instanceof Error) expect(ended).toBe(stopped);
      expect((await database.db.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
      expect(brokenPromises(lake)).toEqual([]);
    }
  });

  it('two concurrent exports list both nights', async () => {
    rmSync(lake, { recursive: true, force: true });
    const dates = ['2026-03-01', '2026-03-02', '2026-03-05'];
    await Promise.all(
      dates.map((snapshotDate) =>
        exporterTo(database.db, folders).export(
          { region: 'uk', snapshotDate },
          { format: 'parquet', includePartial: false, signal },
        ),
      ),
    );
    expect(manifestIn(lake).nights.map(({ snapshot_date }) => snapshot_date)).toEqual(dates);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('an export that loses a race for the manifest retries with the new manifest', async () => {
    const folder = createFolder(lake);
    let isRaced = false;
    const destination: Destination = {
      ...folder,
      async readText(path, stop) {
        const found = await folder.readText(path, stop);
        if (found && !isRaced) {
          isRaced = true;
          const other = found.text
            .replace(/^(\{"region":"uk","snapshot_date":"2026-03-05".*?),?\n/m, '')
            .replace(/,\n\]/, '\n]');
          await folder.writeText(path, other, found.version, stop);
        }
        return found;
      },
    };
    const log = createLog({ level: 'silent' });
    const clock = clockFrom(new Date('2026-03-10T00:00:00Z'));
    const exporter = createExporter({ db: database.db, clock, log, destination, home });
    await exporter.export(
      { region: 'uk', snapshotDate: '2026-03-06' },
      { format: 'parquet', includePartial: false, signal },
    );
    expect(manifestIn(lake).nights.map(({ snapshot_date }) => snapshot_date)).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-06',
    ]);
  });
});

import { cpSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Destination } from '../../src/followers/export/destination.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import { useDatabase } from '../support/database.ts';
import { exporterTo, exportNight, fillCertifiedNights, useFolders } from './lake.ts';
import { brokenPromises, filesOfTable, nightsIn } from './read-lake.ts';

const night = '2026-03-04';

describe('an export that is cut off', () => {
  const database = useDatabase();
  const folders = useFolders();
  const { lake, home } = folders;
  const before = `${lake}-before`;

  beforeAll(async () => {
    await fillCertifiedNights(database.db);
    await exportNight(exporterTo(database.db, { lake: before, home }), night);
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
      remove: dying(folder.remove),
      readText: dying(folder.readText),
      download: dying(folder.download),
      writeNew: dying(folder.writeNew),
    };
  };

  it('an interrupted export leaves tables whose files exist, and the next one completes it', async () => {
    const runs: number[] = [];
    for (let calls = 0, isWhole = false; !isWhole; calls++) {
      rmSync(lake, { recursive: true, force: true });
      cpSync(before, lake, { recursive: true });
      const exporter = exporterTo(database.db, folders, { destination: dyingFolder(calls) });
      isWhole = await exportNight(exporter, night).then(
        () => true,
        () => false,
      );
      expect(brokenPromises(lake), `after ${calls} calls`).toEqual([]);
      runs.push(nightsIn(lake)[0]!.run_id);
      // What prices are joined to is there before them.
      const tables = nightsIn(lake)[0]!.files.map(({ dataset }) => filesOfTable(lake, dataset));
      expect(tables.every((files) => files.length === 1)).toBe(true);
      if (runs.at(-1) === 6) expect(tables.every(([file]) => file!.tags['run_id'] === '6')).toBe(true);
      if (calls % 5 === 0 && !isWhole) {
        await exportNight(exporterTo(database.db, folders), night);
        expect(nightsIn(lake)[0]!.run_id).toBe(6);
      }
    }
    // First the run that was named before, from some call on the new one, and never anything else.
    expect([...new Set(runs)]).toEqual([5, 6]);
    expect(runs.indexOf(6)).toBeGreaterThan(10);
  });

  it('two concurrent exports list both nights', async () => {
    rmSync(lake, { recursive: true, force: true });
    const dates = ['2026-03-01', '2026-03-02', '2026-03-05'];
    await Promise.all(dates.map((date) => exportNight(exporterTo(database.db, folders), date)));
    expect(nightsIn(lake).map(({ snapshot_date }) => snapshot_date)).toEqual(dates);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('an export that loses the race for a commit continues after the commit of the other', async () => {
    const folder = createFolder(lake);
    let isRaced = false;
    const destination: Destination = {
      ...folder,
      async writeNew(path, text, stop) {
        if (path.startsWith('prices/') && !isRaced) {
          isRaced = true;
          const { path: file } = filesOfTable(lake, 'prices').find(({ path: each }) => each.includes('2026-03-05'))!;
          const remove = { path: file.replace('prices/', ''), deletionTimestamp: 1, dataChange: true };
          expect(await folder.writeNew(path, JSON.stringify({ remove }), stop)).toBe(true);
        }
        return folder.writeNew(path, text, stop);
      },
    };
    await exportNight(exporterTo(database.db, folders, { destination }), '2026-03-06');
    expect(nightsIn(lake).map(({ snapshot_date }) => snapshot_date)).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-06',
    ]);
  });
});

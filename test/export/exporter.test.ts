import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExporter } from '../../src/export/exporter.ts';
import { createFolder } from '../../src/export/folder.ts';
import { createLog } from '../../src/log.ts';
import { useDatabase } from '../support/database.ts';
import { fillCertifiedNights, useFolders } from './lake.ts';
import { brokenPromises, filesIn, manifestIn } from './read-lake.ts';

const { signal } = new AbortController();

describe('what is owed', () => {
  const database = useDatabase();
  const { lake, home } = useFolders();
  const said: string[] = [];
  let now = Date.parse('2026-03-10T00:00:00Z');
  const later = (ms: number) => {
    now += ms;
  };
  const open = () =>
    createExporter({
      db: database.db,
      clock: { now: () => new Date(now) },
      log: createLog({ level: 'info', to: { write: (line) => void said.push(JSON.parse(line).msg) } }),
      destination: createFolder(lake),
      home,
    });
  const exported = () =>
    manifestIn(lake).nights.map(({ region, snapshot_date, run_id }) => `${region} ${snapshot_date} ${run_id}`);

  beforeAll(() => fillCertifiedNights(database.db));

  it('is every certified night; a partial one is not', async () => {
    await open().exportOwed(signal);
    expect(exported()).toEqual([
      'ie 2026-03-02 3',
      'uk 2026-03-01 1',
      'uk 2026-03-02 2',
      'uk 2026-03-04 5',
      'uk 2026-03-05 7',
      'uk 2026-03-06 8',
    ]);
    expect(said).toEqual(Array(6).fill('night exported'));
  });

  it('is nothing once it is there, for another process, too', async () => {
    const before = filesIn(lake);
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual([]);
    expect(filesIn(lake)).toEqual(before);
  });

  it('is a night that was released, crawled again or replayed, and one that is certified no more', async () => {
    await database.db.query(`update ops.run set verdict = 'complete_within_tolerance' where run_id = 4`);
    await database.db.query(`update ops.run set verdict = 'complete' where run_id = 6`);
    await database.db.query('update ops.certificate set content_hash = null where run_id in (4, 6)');
    await database.db.query('update ops.run set epoch = epoch + 1 where run_id = 7');
    await database.db.query(`update ops.run set verdict = 'partial' where run_id = 8`);
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual(Array(4).fill('night exported'));
    expect(exported()).toEqual(expect.arrayContaining(['uk 2026-03-03 4', 'uk 2026-03-04 6']));
    expect(manifestIn(lake).nights.find(({ run_id }) => run_id === 8)).toMatchObject({ certificate: 'partial' });
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('is waited for when its content hash is to be computed anew', async () => {
    await database.db.query('update ops.certificate set content_hash = null where run_id = 1');
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual([]);
  });

  it('stays owed while the destination fails: that is said once, tried again after a rest, and made good', async () => {
    rmSync(lake, { recursive: true });
    mkdirSync(dirname(lake), { recursive: true });
    writeFileSync(lake, 'in the way');
    const exporter = open();
    said.length = 0;
    await exporter.exportOwed(signal);
    later(31_000);
    await exporter.exportOwed(signal);
    expect(said).toEqual(['a night could not be exported yet']);

    rmSync(lake);
    later(31_000);
    await exporter.exportOwed(signal);
    // The second failure was followed by a minute's rest.
    expect(said).toHaveLength(1);
    later(30_000);
    await exporter.exportOwed(signal);
    expect(said).toEqual(['a night could not be exported yet', ...Array(6).fill('night exported'), 'exports go on']);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('is looked for again after an hour, should somebody have removed it', async () => {
    const exporter = open();
    await exporter.exportOwed(signal);
    rmSync(lake, { recursive: true });
    later(60_000);
    await exporter.exportOwed(signal);
    expect(filesIn(lake)).toEqual({});
    later(60 * 60_000);
    await exporter.exportOwed(signal);
    expect(exported()).toHaveLength(6);
  });
});

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { noteNights } from '../../src/publish/night-changes.ts';
import { useDatabase } from '../support/database.ts';
import { exporterTo, exportNight, fillCertifiedNights, useFolders } from './lake.ts';
import { brokenPromises, filesIn, nightsIn } from './read-lake.ts';

const { signal } = new AbortController();

describe('nights to export', () => {
  const database = useDatabase();
  const folders = useFolders();
  const { lake } = folders;
  const elsewhere = useFolders();
  const said: string[] = [];
  let now = Date.parse('2026-03-10T00:00:00Z');
  const later = (ms: number) => {
    now += ms;
  };
  const open = () =>
    exporterTo(database.db, folders, {
      clock: { now: () => new Date(now) },
      log: createLog({ level: 'info', to: { write: (line) => void said.push(JSON.parse(line).msg) } }),
    });
  const exported = () =>
    nightsIn(lake).map(({ region, snapshot_date, run_id }) => `${region} ${snapshot_date} ${run_id}`);

  beforeAll(() => fillCertifiedNights(database.db));

  it('every certified night is exported, and no partial night', async () => {
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

  it('a night that does not match its certificate keeps no other night back', async () => {
    const certified = await database.db.query(`select content_hash from ops.certificate where run_id = 7`);
    await database.db.query(
      `update ops.certificate set content_hash = (select content_hash from ops.certificate where run_id = 1)
       where run_id = 7`,
    );
    await database.db.query('update ops.run set run_token = run_token + 1 where run_id in (1, 7)');
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual(['night exported', 'a night could not be exported; trying again later']);
    await database.db.query('update ops.certificate set content_hash = $1 where run_id = 7', [
      certified.rows[0]!['content_hash'],
    ]);
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual(['night exported']);
  });

  it('a changed night is exported again, and one that is no longer certified is withdrawn', async () => {
    await database.db.query(`update ops.run set verdict = 'complete_within_tolerance' where run_id = 4`);
    await database.db.query(`update ops.run set verdict = 'complete' where run_id = 6`);
    await database.db.query('update ops.run set run_token = run_token + 1 where run_id = 7');
    await database.db.query(`update ops.run set verdict = 'partial' where run_id = 8`);
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual(['night withdrawn: it is partial', ...Array(3).fill('night exported')]);
    expect(exported()).toEqual([
      'ie 2026-03-02 3',
      'uk 2026-03-01 1',
      'uk 2026-03-02 2',
      'uk 2026-03-03 4',
      'uk 2026-03-04 6',
      'uk 2026-03-05 7',
    ]);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('a night is exported again if data changed that its content hash does not cover', async () => {
    await database.db.tx((tx) => noteNights(tx, { region: 'uk', from: '2026-03-05', at: new Date(now) }));
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual(['night exported']);
    said.length = 0;
    await open().exportOwed(signal);
    expect(said).toEqual([]);
  });

  it('replaced and withdrawn files stay for 7 days, then they are deleted', async () => {
    const former = Object.keys(filesIn(lake)).filter((path) => path.includes('prices-') && path.includes('2026-03-05'));
    await database.db.query(`update ops.run set verdict = 'partial' where run_id = 7`);
    await open().exportOwed(signal);
    expect(exported()).not.toContain('uk 2026-03-05 7');
    later(6.9 * 24 * 60 * 60_000);
    await open().exportOwed(signal);
    expect(Object.keys(filesIn(lake))).toEqual(expect.arrayContaining(former));
    later(0.1 * 24 * 60 * 60_000);
    await open().exportOwed(signal);
    expect(Object.keys(filesIn(lake)).filter((path) => path.includes('2026-03-05'))).toEqual([]);

    await database.db.query(`update ops.run set verdict = 'complete' where run_id = 7`);
    await open().exportOwed(signal);
    expect(exported()).toContain('uk 2026-03-05 7');
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('an export is refused where another database has written, or this one before it was reset', async () => {
    const is = (bookId: string) =>
      database.db.query(
        `insert into ops.world (kind, clock, seed, items, recorded_at, book_id)
         values ('simulated', 'machine', 1, 300, now(), $1)
         on conflict (is_only) do update set book_id = excluded.book_id`,
        [bookId],
      );
    const exportHere = () => exportNight(exporterTo(database.db, elsewhere), '2026-03-01');
    await is('00000000-0000-4000-8000-000000000001');
    await exportHere();
    await exportHere();
    const before = filesIn(elsewhere.lake);

    await is('00000000-0000-4000-8000-000000000002');
    await expect(exportHere()).rejects.toThrow(/of another database, or from before `pricebook reset`.*empty this one/);
    expect(filesIn(elsewhere.lake)).toEqual(before);
    rmSync(elsewhere.lake, { recursive: true });
    await exportHere();
    expect(brokenPromises(elsewhere.lake)).toEqual([]);
    await database.db.query('delete from ops.world');
  });

  it('a failing destination is reported once, retried after a pause, and completed', async () => {
    rmSync(lake, { recursive: true });
    mkdirSync(dirname(lake), { recursive: true });
    writeFileSync(lake, 'in the way');
    const exporter = open();
    said.length = 0;
    await exporter.exportOwed(signal);
    later(31_000);
    await exporter.exportOwed(signal);
    expect(said).toEqual(['a night could not be exported; trying again later']);

    rmSync(lake);
    later(31_000);
    await exporter.exportOwed(signal);
    // The second failure was followed by a minute's rest.
    expect(said).toHaveLength(1);
    later(30_000);
    await exporter.exportOwed(signal);
    expect(said).toEqual([
      'a night could not be exported; trying again later',
      ...Array(6).fill('night exported'),
      'exports work again',
    ]);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('nights whose files were removed are exported again', async () => {
    const exporter = open();
    await exporter.exportOwed(signal);
    rmSync(lake, { recursive: true });
    await exporter.exportOwed(signal);
    expect(exported()).toHaveLength(6);
  });
});

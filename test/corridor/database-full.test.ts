import { chownSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerUnable } from '../../src/base/errors.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useFolder } from '../support/folder.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { disagreements } from '../support/truth.ts';

describe.skipIf(!canMount)('a full disk of PostgreSQL', () => {
  const installation = useInstallation();
  const folder = useFolder('tablespace');
  const tablespace = basename(folder).toLowerCase().replaceAll('-', '_');
  const date = '2026-03-01';
  let simulator: Simulator;
  let disk: SmallDisk;
  beforeAll(async () => {
    disk = mountSmallDisk(folder, 128)!;
    simulator = await createSimulator({ items: 900, date });
    const { db } = installation;
    const [server] = await rowsOf<{ folder: string }>(db, `select current_setting('data_directory') as folder`);
    const { uid, gid } = statSync(server!.folder);
    chownSync(folder, uid, gid);
    await db.query(`create tablespace "${tablespace}" location '${folder}'`);
    await db.query(`alter table stage.product set tablespace "${tablespace}"`);
  });
  afterAll(async () => {
    await simulator.close();
    await installation.db.query('alter table stage.product set tablespace pg_default');
    await installation.db.query(`drop tablespace "${tablespace}"`);
    disk.unmount();
  });
  const crawl = () => crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'] });

  test('a full disk of PostgreSQL makes the run wait with advice and charges no attempt', async () => {
    const error: unknown = await crawl().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServerUnable);
    expect((error as Error).message).toMatch(
      /PostgreSQL cannot serve now \(.*No space left.*\)\. Make room on its disk/,
    );
    const [run] = await rowsOf(
      installation.db,
      `select status, s.reason, s.detail, s.until is null as is_endless
       from ops.run
       join ops.stop s on s.scope_id = run_id::text`,
    );
    // Which of the full disk's errors came first differs.
    const detail = expect.stringContaining('No space left on device');
    expect(run).toEqual({ status: 'open', reason: 'room', detail, is_endless: false });
    const tried = await rowsOf(
      installation.db,
      `select 1 from ops.category_page where attempts > 0 and status = 'planned'`,
    );
    expect(tried).toEqual([]);
  });

  test('the run continues once there is room', async () => {
    disk.makeRoom();
    const [run] = await crawl();
    expect(run).toMatchObject({ status: 'published', verdict: 'complete' });
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });
});

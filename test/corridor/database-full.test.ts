import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { ServerUnable } from '../../src/errors.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

/** A file system of a few kilobytes takes the right to mount one. */
const disk = mkdtempSync(join(tmpdir(), 'pricebook-tablespace-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk]).status === 0;
if (!isMounted) rmSync(disk, { recursive: true });
const tablespace = basename(disk).toLowerCase().replaceAll('-', '_');

describe.skipIf(!isMounted)("a disk of PostgreSQL's that is full", () => {
  const installation = useInstallation();
  const date = '2026-03-01';
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 900, date });
    const { db } = installation;
    const [server] = await rowsOf<{ folder: string }>(db, `select current_setting('data_directory') as folder`);
    const { uid, gid } = statSync(server!.folder);
    chownSync(disk, uid, gid);
    await db.query(`create tablespace "${tablespace}" location '${disk}'`);
    await db.query(`alter table stage.listing set tablespace "${tablespace}"`);
  });
  afterAll(async () => {
    await simulator.close();
    await installation.db.query('alter table stage.listing set tablespace pg_default');
    await installation.db.query(`drop tablespace "${tablespace}"`);
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  const crawl = () => crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'] });

  test('makes the run wait, with a line that says what to do, and costs no page an attempt', async () => {
    const error: unknown = await crawl().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServerUnable);
    expect((error as Error).message).toMatch(
      /PostgreSQL cannot serve now \(.*No space left.*\)\. Make room on its disk/,
    );
    const [run] = await rowsOf(
      installation.db,
      'select status, paused_for, paused_until is null as is_endless from ops.run',
    );
    expect(run).toEqual({ status: 'open', paused_for: (error as Error).message, is_endless: false });
    const tried = await rowsOf(
      installation.db,
      `select 1 from ops.category_page where attempts > 0 and status = 'planned'`,
    );
    expect(tried).toEqual([]);
  });

  test('is forgotten once there is room', async () => {
    spawnSync('mount', ['-o', 'remount,size=64m', disk]);
    const [run] = await crawl();
    expect(run).toMatchObject({ status: 'published', verdict: 'complete' });
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });
});

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ArchiveFull } from '../../src/base/errors.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { disagreements } from '../support/truth.ts';

describe.skipIf(!canMount)('a disk that is full while payloads are archived', () => {
  const installation = useInstallation();
  const home = mkdtempSync(join(tmpdir(), 'pricebook-full-'));
  const date = '2026-03-01';
  let simulator: Simulator;
  let disk: SmallDisk;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 900, date });
    const archive = join(home, 'archive');
    mkdirSync(archive);
    disk = mountSmallDisk(archive, 64)!;
  });
  afterAll(async () => {
    await simulator.close();
    disk.unmount();
    rmSync(home, { recursive: true, force: true });
  });
  const crawl = () => crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'], home });

  test('a full disk of the archive makes the run wait with advice and charges no attempt', async () => {
    const error: unknown = await crawl().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ArchiveFull);
    expect((error as Error).message).toContain('no room left for the archive');
    const [run] = await rowsOf(
      installation.db,
      'select status, s.reason, s.detail from ops.run join ops.stop s on s.scope_id = run_id::text',
    );
    expect(run).toMatchObject({ status: 'open', reason: 'room', detail: expect.stringContaining('no room left') });
    const tried = await rowsOf(
      installation.db,
      `select 1 from ops.category_page where attempts > 0 and status = 'planned'`,
    );
    expect(tried).toEqual([]);
  });

  test('the run continues once the disk has room', async () => {
    disk.makeRoom();
    const [run] = await crawl();
    expect(run).toMatchObject({ status: 'published', verdict: 'complete' });
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });
});

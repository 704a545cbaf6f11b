import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';
import { pruneArchive } from '../../src/crawl/archive/prune.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { insert, runRow } from '../support/insert.ts';
import { payload, shaOf } from './payload.ts';

describe('pruning the archive', () => {
  const database = useDatabase();
  let root: string;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'pricebook-prune-'));
    await database.db.query('truncate ops.payload, ops.quarantine, ops.run cascade');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const keepDays = 10;
  const prune = (on: string, days = keepDays) =>
    pruneArchive({ packs: createPackFolder(root), db: database.db }, new Date(`${on}T14:00:00Z`), days);

  test('pruning deletes rows and files older than the limit, and nothing younger', async () => {
    await receive('2026-03-01', 'old');
    await receive('2026-03-09', 'young');
    expect(await prune('2026-03-15')).toEqual({ payloads: 1, packs: 1 });
    expect(await received()).toEqual(['2026-03-09']);
    expect(days()).toEqual(['2026-03-09']);
    expect(await body('young')).toBe('young');
    await expect(body('old')).rejects.toThrow('not in the archive');
  });

  test('a body received again stays readable after the pack of its first reception was deleted', async () => {
    await receive('2026-03-01', 'the same every night');
    await receive('2026-03-08', 'the same every night');
    await receive('2026-03-12', 'the same every night');
    await prune('2026-03-15');
    expect(await received()).toEqual(['2026-03-08', '2026-03-12']);
    expect(await body('the same every night')).toBe('the same every night');
    expect(days()).toEqual(['2026-03-08', '2026-03-12']);
  });

  test('the pack of a payload with quarantined elements is kept until they are accepted', async () => {
    await receive('2026-03-01', 'puzzling', 'plain');
    await insert(database.db, 'ops.quarantine', [
      {
        endpoint: 'uk-category-page',
        path: 'data.products[0]',
        reason: 'id: missing',
        payload_sha256: Buffer.from(shaOf('puzzling'), 'hex'),
        seen_at: '2026-03-01',
      },
    ]);
    expect(await prune('2026-03-15')).toEqual({ payloads: 1, packs: 0 });
    expect(await body('puzzling')).toBe('puzzling');

    await database.db.query('delete from ops.quarantine');
    expect(await prune('2026-03-15')).toEqual({ payloads: 1, packs: 1 });
    expect(days()).toEqual([]);
  });

  test("payloads of unfinished runs and of each region's last night are kept at any age", async () => {
    await insert(database.db, 'ops.run', [
      run(1, '2026-02-01', 'published'),
      run(2, '2026-02-02', 'held'),
      run(3, '2026-02-03', 'published'),
      run(4, '2026-02-04', 'abandoned'),
      run(5, '2026-02-05', 'open'),
    ]);
    for (const runId of [1, 2, 3, 4, 5]) await receiveFor(runId, `2026-02-0${runId}`, `of ${runId}`);
    await prune('2026-03-15');
    expect(await received()).toEqual(['2026-02-02', '2026-02-03', '2026-02-05']);
  });

  const receive = (day: string, ...bodies: string[]) => receiveFor(null, day, ...bodies);

  async function receiveFor(runId: number | null, day: string, ...bodies: string[]): Promise<void> {
    const archive = createArchive({ packs: createPackFolder(root), db: database.db });
    const receivedAt = new Date(`${day}T02:00:00Z`);
    for (const text of bodies) await archive.put([payload(Buffer.from(text), { receivedAt })], runId);
    await archive.close();
  }

  async function body(text: string): Promise<string> {
    const archive = createArchive({ packs: createPackFolder(root), db: database.db });
    return Buffer.from(await archive.get(shaOf(text))).toString();
  }

  async function received(): Promise<string[]> {
    const rows = await rowsOf<{ day: string }>(
      database.db,
      'select received_at::date::text as day from ops.payload order by 1',
    );
    return rows.map(({ day }) => day);
  }

  const days = () => readdirSync(root).sort();
});

function run(runId: number, night: string, status: string) {
  return runRow(`${night}T02:00:00Z`, { run_id: runId, status, verdict: null });
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startVersitygw, type Versitygw } from '../support/versitygw.ts';
import { useBucketBook } from './bucket-book.ts';

const catalogue = { items: 400, dailyChange: 0.2 };
const slow = [{ kind: 'slow', ms: 60 }] as const;

describe('nights of a book whose archive is a bucket', () => {
  let s3: S3Server;
  const book = useBucketBook(catalogue, () => ({
    ARCHIVE: 's3://prices/nights',
    EXPORT_ENDPOINT: s3.url,
    EXPORT_REGION: s3.region,
    EXPORT_ACCESS_KEY_ID: s3.accessKeyId,
    EXPORT_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }));
  beforeAll(async () => {
    s3 = await startS3Server();
  });
  beforeEach(() => {
    s3.fault = () => null;
    book.simulator.resetLog();
  });
  afterAll(() => s3.close());

  test('after a kill between storing and staging the night is completed; ARCHIVE_DAYS deletes the rest', async () => {
    const date = '2026-03-02';
    const child = book.start(date);
    let stored = 0;
    s3.fault = ({ method, key }) => {
      if (method !== 'PUT' || !key.includes('.pack.gz') || ++stored !== 2) return null;
      child.process.kill('SIGKILL');
      return 'lost';
    };
    expect(await child.ended).toMatchObject({ how: 'SIGKILL' });
    await book.crawl(date);
    await book.expectReplayable(date);
    expect(packs()).toHaveLength((await book.packs()).length + 1);

    await book.crawl('2026-03-04');
    const before = packs().length;
    const { packs: deleted } = await book.prune('2026-06-20', 90);
    // The last night stays, however old.
    expect(packs()).toEqual(await book.packs());
    expect(deleted).toBe(before - packs().length);
    expect(deleted).toBeGreaterThan(1);
    await book.expectReplayable('2026-03-04');
    expect(s3.refused).toEqual([]);
  });

  test('a bucket that is away for a while costs no request', async () => {
    let refused = 0;
    s3.fault = ({ key }) => (key.includes('.pack.gz') && ++refused < 5 ? '503' : null);
    await book.crawl('2026-03-05');
    expect(book.askedAgain()).toEqual([]);
    await book.expectReplayable('2026-03-05');
  });

  const packs = () =>
    [...s3.objects.keys()].flatMap((key) => /^nights\/[\w-]+\/(.*\.pack\.gz)$/.exec(key)?.[1] ?? []).sort();
});

/** `.ci/clients` installs it there. */
const tools = process.env['CLIENT_TOOLS'];
const hasServer = tools !== undefined && readdirSync(tools).includes('versitygw');

describe.runIf(hasServer)('nights of a book whose archive is a bucket of VersityGW (needs .ci/clients)', () => {
  const root = mkdtempSync(join(tmpdir(), 'pricebook-versitygw-'));
  let server: Versitygw;
  const book = useBucketBook(catalogue, () => ({ ARCHIVE: 's3://prices/nights', ...server.env }));
  const start = async (at?: string) => {
    server = await startVersitygw(join(tools!, 'versitygw'), root, at);
  };
  beforeAll(() => start());
  beforeEach(() => book.simulator.resetLog());
  afterAll(async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('a process without the folder of a killed one completes its run, and a third one replays it', async () => {
    const date = '2026-03-01';
    book.simulator.change({ faults: slow });
    const first = book.start(date);
    await untilStored(date, first.ended);
    const second = book.start(date);
    first.process.kill('SIGKILL');
    expect(await first.ended).toMatchObject({ how: 'SIGKILL' });
    const before = stored(date).length;
    expect(await second.ended).toMatchObject({ how: 0 });
    expect(stored(date).length).toBeGreaterThan(before);
    await book.expectReplayable(date);
  });

  test('a bucket that is away for ten seconds costs no request', async () => {
    const date = '2026-03-02';
    book.simulator.change({ faults: slow });
    const { ended } = book.start(date);
    await untilStored(date, ended);
    await server.close();
    await sleep(10_000);
    await start(server.url);
    expect(await ended).toMatchObject({ how: 0 });
    expect(book.askedAgain()).toEqual([]);
    await book.expectReplayable(date);
  });

  test('a crawl whose bucket stays away ends after a minute and names it, and the next one continues', async () => {
    const date = '2026-03-03';
    book.simulator.change({ faults: slow });
    const { ended } = book.start(date);
    await untilStored(date, ended);
    await server.close();
    const { how, stderr } = await ended;
    expect(how).toBe(1);
    expect(stderr).toContain('s3://prices/nights is unavailable: connect ECONNREFUSED');
    const done = await rowsOf(book.installation.db, `select 1 from ops.category_page where status = 'done'`);
    expect(done.length).toBeGreaterThan(0);
    await start(server.url);
    await book.crawl(date);
    console.log(`asked again after the bucket stayed away: ${book.askedAgain().length} requests`);
    await book.expectReplayable(date);
  });

  test('ARCHIVE_DAYS deletes the packs of earlier nights', async () => {
    const { packs } = await book.prune('2026-06-20', 90);
    expect(packs).toBeGreaterThan(1);
    expect(stored('2026')).toEqual(await book.packs());
    await book.expectReplayable('2026-03-03');
  });

  const stored = (date: string) =>
    readdirSync(server.folder, { recursive: true, encoding: 'utf8' })
      .flatMap((path) => /^nights\/[\w-]+\/(.*\.pack\.gz)$/.exec(path)?.[1] ?? [])
      .filter((pack) => pack.startsWith(date))
      .sort();
  const untilStored = async (date: string, ended: Promise<unknown>) => {
    while (stored(date).length < 2 && !(await Promise.race([ended, sleep(20)])));
  };
});

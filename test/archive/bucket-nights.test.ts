import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { useBucketBook } from './bucket-book.ts';

const catalogue = { items: 400, dailyChange: 0.2 };

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

  test('after a kill between storing and staging the night is completed, and its rest is deleted', async () => {
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

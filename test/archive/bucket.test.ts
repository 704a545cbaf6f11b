import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBucket } from '../../src/base/bucket.ts';
import { DestinationUnavailable, DestinationUnusable } from '../../src/base/errors.ts';
import { createPackBucket } from '../../src/crawl/archive/pack-bucket.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';
import { pruneArchive } from '../../src/crawl/archive/prune.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { disagreements } from '../support/truth.ts';
import { payload, shaOf } from './payload.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
beforeEach(() => {
  s3.fault = () => null;
  s3.unknownKeyStatus = null;
  s3.requests.length = 0;
});
afterAll(() => s3.close());

describe('an archive in a bucket', () => {
  const database = useDatabase();
  const packs = () => {
    const access = {
      endpoint: { url: s3.url },
      region: s3.region,
      accessKeyId: { reveal: () => s3.accessKeyId },
      secretAccessKey: { reveal: () => s3.secretAccessKey },
      sessionToken: null,
    } as const;
    const bucket = openBucket('s3://prices/archive', access, { attemptMs: 2_000, patienceMs: 300 });
    return createPackBucket(bucket, async () => 'book');
  };
  const open = () => createArchive({ packs: packs(), db: database.db });

  test('payloads that are stored together are one object, and are read together', async () => {
    const bodies = Array.from({ length: 20 }, (_, index) => Buffer.from(`answer ${index}`.repeat(index)));
    await open().put(
      bodies.map((body) => payload(body)),
      1,
    );
    expect(methods()).toEqual(['PUT']);
    expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^archive\/book\/2026-03-01\/[\w-]+\.pack\.gz$/)]);
    expect(await open().getAll(bodies.map(shaOf))).toEqual(bodies);
    expect([...(await open().get(shaOf(bodies[7]!)))]).toEqual([...bodies[7]!]);
    expect(methods()).toEqual(['PUT', 'GET', 'GET']);
    expect(s3.refused).toEqual([]);
  });

  test('a damaged or missing object is a lost payload, and an unreachable bucket is none', async () => {
    const body = Buffer.from('an answer');
    await open().put([payload(body)], 1);
    const [key, stored] = [...s3.objects].at(-1)!;
    s3.fault = () => '503';
    await expect(open().getAll([shaOf(body)])).rejects.toThrow(DestinationUnavailable);
    s3.fault = () => null;
    s3.objects.set(key, Buffer.alloc(stored.length));
    await expect(open().get(shaOf(body))).rejects.toThrow('it is damaged in 2026-03-01/');
    s3.objects.delete(key);
    await expect(open().get(shaOf(body))).rejects.toThrow(
      '.pack.gz is not in s3://prices/archive. A crawl with another',
    );
  });

  test('after payloads could not be stored, the archive is ready only once it can be written again', async () => {
    const archive = open();
    await archive.ready();
    expect(methods()).toEqual([]);
    s3.fault = () => '503';
    await expect(archive.put([payload(Buffer.from('later'))], 1)).rejects.toThrow(DestinationUnavailable);
    await expect(Promise.all([archive.ready(), archive.ready()])).rejects.toThrow('s3://prices/archive is unavailable');
    s3.fault = () => null;
    s3.requests.length = 0;
    await Promise.all([archive.ready(), archive.ready()]);
    await archive.ready();
    expect(methods()).toEqual(['PUT', 'GET', 'DELETE']);
    expect([...s3.objects.keys()].filter((key) => key.includes('check'))).toEqual([]);
  });

  test('packs older than the limit are deleted', async () => {
    await database.db.query('truncate ops.payload');
    s3.objects.clear();
    await open().put([payload(Buffer.from('old'))], null);
    await open().put([{ ...payload(Buffer.from('young')), receivedAt: new Date('2026-03-09T02:00:00Z') }], null);
    const pruned = await pruneArchive({ packs: packs(), db: database.db }, new Date('2026-03-15T14:00:00Z'), 10);
    expect(pruned).toEqual({ payloads: 1, packs: 1 });
    expect([...s3.objects.keys()]).toEqual([expect.stringContaining('/2026-03-09/')]);
  });

  const methods = () => s3.requests.map(({ method }) => method);
});

describe('a book whose archive is a bucket', () => {
  const env = () => ({
    ARCHIVE: 's3://prices/nights',
    AWS_ENDPOINT_URL: s3.url,
    AWS_REGION: s3.region,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
  const installation = useInstallation();
  const cliHome = useCliHome({ book: installation });

  test('a run waits while its bucket cannot be used, charges no attempt, and sends nothing until it can', async () => {
    const date = '2026-03-06';
    const simulator = await createSimulator({ items: 150, superDepartments: 3, date });
    const crawl = () =>
      crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'], env: env() });
    s3.fault = ({ method, key }) => {
      if (method === 'PUT' && key.includes('.pack.gz') && packsInBucket().some((pack) => pack.startsWith(date)))
        s3.unknownKeyStatus = 403;
      return null;
    };
    const error = await crawl().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DestinationUnusable);
    expect((error as Error).message).toContain('s3://prices/nights cannot be used: the server answers 403');
    const [run] = await rowsOf(
      installation.db,
      `select status, s.reason, (select max(attempts) from ops.category_page p
         where p.run_id = r.run_id and p.status = 'planned') as attempts
       from ops.run r join ops.stop s on s.scope = 'run' and s.scope_id = run_id::text`,
    );
    expect(run).toEqual({ status: 'open', reason: 'room', attempts: 0 });

    const { total } = simulator.log();
    await expect(crawl()).rejects.toThrow(DestinationUnusable);
    expect(simulator.log().total).toBe(total);
    s3.fault = () => null;
    s3.unknownKeyStatus = null;
    await crawl();
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    // From the bucket, as on another machine.
    const replayed = await cliHome.run(['replay', '--from', date, '--to', date, '--json'], env());
    expect([replayed.code, JSON.parse(replayed.stdout)]).toMatchObject([0, { differences: [] }]);
    await simulator.close();
  });

  test('doctor writes and reads the bucket, and no command shows its secret', async () => {
    const config = await cliHome.run(['config'], env());
    expect(config.stdout).toMatch(/ARCHIVE +s3:\/\/prices\/nights/);
    const well = await cliHome.run(['doctor'], env());
    expect(well).toMatchObject({ code: 0, stdout: expect.stringMatching(/ok +archive +s3:\/\/prices\/nights can be/) });
    s3.unknownKeyStatus = 403;
    const ill = await cliHome.run(['doctor'], env());
    expect(ill.code).toBe(78);
    expect(ill.stdout).toMatch(/archive +s3:\/\/prices\/nights cannot be used: the server answers 403/);
    for (const { stdout, stderr } of [config, well, ill]) expect(stdout + stderr).not.toContain(s3.secretAccessKey);
  });

  const packsInBucket = () =>
    [...s3.objects.keys()].flatMap((key) => /^nights\/[\w-]+\/(.*\.pack\.gz)$/.exec(key)?.[1] ?? []).sort();
});

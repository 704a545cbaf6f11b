import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clockFrom } from '../../src/base/clock.ts';
import { DestinationUnavailable, DestinationUnusable } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { digestOfFile } from '../../src/followers/export/destination.ts';
import { createExporter } from '../../src/followers/export/exporter.ts';
import { useDatabase } from '../support/database.ts';
import { type S3Fault, type S3Request, type S3Server, startS3Server } from '../support/s3-server.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { filesIn } from './read-lake.ts';

const { signal } = new AbortController();
/** The smallest parts that S3 takes. */
const partBytes = 5 * 1024 * 1024;

describe('a bucket', () => {
  const database = useDatabase();
  const folders = useFolders();
  const root = mkdtempSync(join(tmpdir(), 'pricebook-bucket-'));
  let server: S3Server;

  beforeAll(async () => {
    server = await startS3Server();
    await fillCertifiedNights(database.db);
    for (const [region, snapshotDate] of nights)
      await exporterTo(database.db, folders).export(
        { region, snapshotDate },
        { format: 'parquet', includePartial: false, signal },
      );
  });
  beforeEach(() => {
    server.objects.clear();
    server.uploads.clear();
    server.requests.length = 0;
    server.refused.length = 0;
    server.fault = () => null;
    server.knowsConditions = true;
  });
  afterAll(async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });

  const nights = [
    ['uk', '2026-03-04'],
    ['ie', '2026-03-02'],
  ] as const;
  const bucket = ({
    secret = server.secretAccessKey,
    token = null as string | null,
    addressing = 'path' as 'path' | 'virtual',
    url = server.url,
    attemptMs = 5_000,
  } = {}) =>
    createBucket(
      's3://prices/lake',
      {
        endpoint: { url, local: true },
        region: server.region,
        asRole: false,
        accessKeyId: { reveal: () => server.accessKeyId },
        secretAccessKey: { reveal: () => secret },
        sessionToken: token === null ? null : { reveal: () => token },
        addressing,
      },
      { attemptMs, patienceMs: 3_000, partBytes },
    );
  const exportNights = async (destination = bucket()) => {
    const exporter = createExporter({
      db: database.db,
      clock: clockFrom(new Date('2026-03-10T00:00:00Z')),
      log: createLog({ level: 'silent' }),
      destination,
      home: folders.home,
      keepDays: 7,
    });
    for (const [region, snapshotDate] of nights)
      await exporter.export({ region, snapshotDate }, { format: 'parquet', includePartial: false, signal });
  };
  const commits = () => [...server.objects.keys()].filter((key) => /^lake\/prices\/_delta_log\/\d+\.json$/.test(key));

  /** Counts each request when it first arrives. */
  const once = (fault: S3Fault, isMeant: (request: S3Request, nth: number) => boolean = () => true) => {
    const seen = new Set<string>();
    return (request: S3Request): S3Fault | null => {
      const what = `${request.method} ${request.key} ${request.query}`;
      if (seen.has(what)) return null;
      seen.add(what);
      return isMeant(request, seen.size) ? fault : null;
    };
  };

  it.each(['503', 'slow', 'truncated', 'lost', 'twice'] as const)(
    'a bucket holds the same files as a folder, whatever the server answers: %s',
    async (fault) => {
      const isRare = fault === 'slow' || fault === '503';
      server.fault = once(fault, (_, nth) => !isRare || nth % 9 === 1);
      await exportNights(bucket({ attemptMs: fault === 'slow' ? 500 : 5_000 }));
      const expected = Object.keys(filesIn(folders.lake)).map((path) => `lake/${path}`);
      expect([...server.objects.keys()].sort()).toEqual(expected.sort());
      const inFolder = filesIn(folders.lake);
      for (const [key, body] of server.objects) {
        if (key.endsWith('.parquet'))
          expect(createHash('sha256').update(body).digest('hex'), key).toBe(inFolder[key.replace('lake/', '')]);
      }
      expect(server.refused).toEqual([]);
    },
  );

  it('no file is committed that cannot be read back', async () => {
    server.fault = ({ method, key }) => {
      // Truncates what was stored.
      const stored = server.objects.get(key);
      if (method === 'GET' && key.includes('/prices-') && stored) server.objects.set(key, stored.subarray(1));
      return null;
    };
    await expect(exportNights()).rejects.toThrow('does not read back as it was written');
    expect(commits()).toEqual([]);
  });

  it('a large file is sent in parts, and an upload that cannot be finished is aborted', async () => {
    const localPath = join(root, 'file');
    const body = Buffer.alloc(2.5 * partBytes, 'x');
    writeFileSync(localPath, body);
    const file = { localPath, ...(await digestOfFile(localPath)) };
    server.fault = ({ query }) => (query.get('partNumber') === '3' ? '503' : null);
    await expect(bucket().put('prices/file', file, signal)).rejects.toThrow(DestinationUnavailable);
    expect(server.uploads.size).toBe(0);
    for (const fault of [null, 'lost'] as const) {
      const befalls = once('lost', ({ query }) => fault === 'lost' && query.size > 0);
      server.fault = befalls;
      await bucket().put('prices/file', file, signal);
      expect(server.objects.get('lake/prices/file')?.equals(body)).toBe(true);
      expect([...server.uploads.values()].filter((parts) => parts.size > 0)).toEqual([]);
    }
  });

  it("a wrong key is refused with advice and without the server's text", async () => {
    const refusal = await bucket({ secret: 'not the secret' })
      .readText('prices/_delta_log/00000000000000000000.json', signal)
      .catch((error) => error);
    expect(refusal).toBeInstanceOf(DestinationUnusable);
    expect(refusal.message).toContain('403 SignatureDoesNotMatch; check EXPORT_ACCESS_KEY_ID');
    expect(JSON.stringify([refusal.message, refusal.stack])).not.toContain(sentinelKey);
    expect(server.refused).toEqual(['another signature']);
  });

  it('a temporary key is sent with its token, and refused without it', async () => {
    server.sessionToken = 'for an hour';
    const path = 'prices/_delta_log/00000000000000000000.json';
    expect(await bucket({ token: 'for an hour' }).writeNew(path, 'text', signal)).toBe(true);
    await expect(bucket().readText(path, signal)).rejects.toThrow(DestinationUnusable);
    expect(server.refused).toEqual(['another session']);
    server.sessionToken = null;
  });

  it('virtual addresses have the bucket in the name of the host', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost');
    const asked = await bucket({ url, addressing: 'virtual', attemptMs: 1_000 })
      .readText('file', signal)
      .then(() => server.requests.at(-1)!.headers.host)
      // Not every system resolves names below localhost.
      .catch(({ message }) => /getaddrinfo \w+ (\S+)\./.exec(message)?.[1]);
    expect(asked).toMatch(/^prices\.localhost(:\d+)?$/);
  });

  it('a server that knows no such key gets advice about the key, whatever its status', async () => {
    server.unknownKeyStatus = 404;
    await expect(bucket().readText('file', signal)).rejects.toThrow('it knows no such key: check EXPORT_ACCESS_KEY_ID');
    server.unknownKeyStatus = null;
  });

  it('a server without conditional writes is supported', async () => {
    server.knowsConditions = false;
    await exportNights();
    expect(commits()).toHaveLength(2);
  });

  it('an interrupted export does not wait for its next attempt', async () => {
    const stop = new AbortController();
    server.fault = () => {
      stop.abort(new Error('asked to end'));
      return '503';
    };
    await expect(bucket().digest('prices/file', stop.signal)).rejects.toThrow('asked to end');
  });
});

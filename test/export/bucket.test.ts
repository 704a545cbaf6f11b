import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DestinationUnavailable, DestinationUnusable } from '../../src/base/errors.ts';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { type S3Fault, type S3Request, type S3Server, startS3Server } from '../support/s3-server.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { accessTo, exporterTo, exportNight, fillCertifiedNights, useFolders } from './lake.ts';
import { filesIn } from './read-lake.ts';

const { signal } = new AbortController();
/** The smallest parts that S3 takes. */
const partBytes = 5 * 1024 * 1024;

describe('a bucket', () => {
  const database = useDatabase();
  const folders = useFolders();
  const root = useFolder('bucket');
  let server: S3Server;

  beforeAll(async () => {
    server = await startS3Server();
    await fillCertifiedNights(database.db);
    for (const [region, snapshotDate] of nights)
      await exportNight(exporterTo(database.db, folders), snapshotDate, { region });
  });
  beforeEach(() => {
    server.objects.clear();
    server.uploads.clear();
    server.requests.length = 0;
    server.refused.length = 0;
    server.fault = () => null;
    server.knowsConditions = true;
  });
  afterAll(() => server.close());

  const nights = [
    ['uk', '2026-03-04'],
    ['ie', '2026-03-02'],
  ] as const;
  const bucket = ({ key = server.accessKeyId, attemptMs = 5_000 } = {}) =>
    createBucket('s3://prices/lake', accessTo({ ...server, accessKeyId: key }), {
      attemptMs,
      patienceMs: 3_000,
      partBytes,
    });
  const exportNights = async (destination = bucket()) => {
    const exporter = exporterTo(database.db, folders, { destination });
    for (const [region, snapshotDate] of nights) await exportNight(exporter, snapshotDate, { region });
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
    server.fault = ({ query }) => (query.get('partNumber') === '3' ? '503' : null);
    await expect(bucket().put('prices/file', localPath, signal)).rejects.toThrow(DestinationUnavailable);
    expect(server.uploads.size).toBe(0);
    for (const fault of [null, 'lost'] as const) {
      const befalls = once('lost', ({ query }) => fault === 'lost' && query.size > 0);
      server.fault = befalls;
      await bucket().put('prices/file', localPath, signal);
      expect(server.objects.get('lake/prices/file')?.equals(body)).toBe(true);
      expect([...server.uploads.values()].filter((parts) => parts.size > 0)).toEqual([]);
    }
  });

  it("a wrong key is refused with advice and without the server's text", async () => {
    const refusal = await bucket({ key: 'another' })
      .readText('prices/_delta_log/00000000000000000000.json', signal)
      .catch((error) => error);
    expect(refusal).toBeInstanceOf(DestinationUnusable);
    expect(refusal.message).toContain('403 SignatureDoesNotMatch; check AWS_ACCESS_KEY_ID');
    expect(JSON.stringify([refusal.message, refusal.stack])).not.toContain(sentinelKey);
    expect(server.refused).toEqual(['another key']);
  });

  it('a server without conditional writes is supported', async () => {
    server.knowsConditions = false;
    await exportNights();
    expect(commits()).toHaveLength(2);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DestinationUnavailable, DestinationUnusable } from '../../src/base/errors.ts';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { accessTo } from './lake.ts';

const { signal } = new AbortController();

describe('a bucket whose server never ends an answer', () => {
  let server: Server;
  let status = 500;
  /** Bytes of the longest answer: a request is repeated as often as the time allows. */
  let longest = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/xml' });
      const piece = Buffer.alloc(256 * 1024, 'x');
      let sent = 0;
      const more = (): void => {
        if (response.destroyed) return;
        sent += piece.length;
        longest = Math.max(longest, sent);
        // Enough to tell, and not to fill this machine.
        if (sent > 400 * 1024 * 1024) return void response.end();
        if (response.write(piece)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const bucket = () =>
    createBucket(
      's3://prices/lake',
      accessTo({
        ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region: 'us-east-1' },
        ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
      }),
      { attemptMs: 20_000, patienceMs: 500, partBytes: 5 * 1024 * 1024 },
    );

  it.each([
    [500, 'readText'],
    [403, 'readText'],
    [403, 'digest'],
    [403, 'remove'],
  ] as const)('an endless answer with status %i to %s is abandoned soon', async (answered, act) => {
    [status, longest] = [answered, 0];
    await expect(bucket()[act]('file', signal)).rejects.toThrow(DestinationUnavailable);
    expect(longest).toBeLessThan(16 * 1024 * 1024);
  });
});

it.each(['s3://prices/../other', 's3://prices/a/../../b', 's3://prices/./a', 's3://prices/a/..', 's3://a..b/c'])(
  '%s leads outside the bucket and is refused',
  (to) => {
    const noKey = { accessKeyId: null, secretAccessKey: null, sessionToken: null };
    const access = { endpoint: null, region: 'us-east-1', ...noKey } as const;
    expect(() => createBucket(to, access)).toThrow(DestinationUnusable);
  },
);

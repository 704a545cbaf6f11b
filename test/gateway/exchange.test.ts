import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { classify } from '../../src/gateway/classify.ts';
import { type Exchange, exchange } from '../../src/gateway/exchange.ts';
import { connectTo } from '../../src/gateway/origin.ts';
import { withUpstream } from './upstream.ts';

async function get(url: string, options: Partial<Exchange> = {}) {
  const origin = connectTo(url, { connections: 1, local: true });
  try {
    return await exchange(origin, { path: '/', headers: {}, ...options });
  } finally {
    await origin.destroy();
  }
}

const small = 64 * 1_024;

test('a body that grows beyond the limit is cut off', async () => {
  let sent = 0;
  await withUpstream(
    (_, response) => {
      const chunk = Buffer.alloc(16_384, 'x');
      const more = () => {
        while (sent < 100 * 1_048_576 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', more);
        }
        response.end();
      };
      response.writeHead(200);
      more();
    },
    async ({ url }) => {
      await expect(get(url)).rejects.toThrow('the body is larger than 8 MB');
    },
  );
  expect(sent).toBeLessThan(40 * 1_048_576);
});

test('a body that decompresses beyond the limit is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1_048_576));
  await withUpstream(
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    async ({ url }) => {
      await expect(get(url)).rejects.toThrow('the body is larger than 8 MB');
    },
  );
});

test.each(['br', 'gzip, gzip', 'gzip,gzip,gzip,gzip,gzip,gzip,gzip', 'zstd'])(
  'the encoding %s is not decompressed',
  async (encoding) => {
    await withUpstream(
      (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('x'),
      async ({ url }) => {
        await expect(get(url)).rejects.toThrow('an encoding that was not offered');
      },
    );
  },
);

test('a damaged compressed body is refused', async () => {
  const half = gzipSync(Buffer.alloc(small, 'abc')).subarray(0, 60);
  await withUpstream(
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half),
    async ({ url }) => {
      await expect(get(url)).rejects.toThrow('damaged');
    },
  );
});

test('a server that sends its answer slowly is abandoned after the total timeout', async () => {
  await withUpstream(
    (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    },
    async ({ url }) => {
      // It would drip for ever.
      await expect(get(url, { totalLimitMs: 300 })).rejects.toThrow('no complete answer within 0.3 s');
    },
  );
});

test('a request that is ready too late leaves its connection to the next', async () => {
  await withUpstream(
    (_, response) => response.end('{}'),
    async ({ url }) => {
      const origin = connectTo(url, { connections: 1, local: true });
      const late = exchange(origin, { path: '/', headers: {}, maySend: () => false });
      await expect(late).rejects.toThrow('its slot has expired');
      expect(origin.stats.connected).toBe(1);
      await origin.destroy();
    },
  );
});

test('headers beyond 16 KB are refused', async () => {
  await withRaw(
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    async (url) => {
      await expect(get(url)).rejects.toThrow('headers are too large');
    },
  );
});

describe('a connection that is cut', () => {
  test.each([
    ['before the answer', ''],
    ['in the middle of a counted body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"success":true}'],
    [
      'in the middle of a chunked body',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"success":true}\r\n',
    ],
  ])('%s is a failure', async (_, text) => {
    await withRaw(
      (socket) => socket.end(text),
      async (url) => {
        await expect(get(url)).rejects.toThrow(/the connection was closed early|shorter than announced/);
      },
    );
  });
});

test.each([
  ['application/json; charset=ISO-8859-1', 'ok'],
  ['application/json', 'unreadable'],
  ['application/json; charset=utf-8', 'unreadable'],
  ['application/json; charset=unheard-of', 'unreadable'],
])('a response in Latin 1 that is declared as %j is %s', async (contentType, kind) => {
  const body = Buffer.from('{"success":true,"data":{"title":"Crème"}}', 'latin1');
  await withUpstream(
    (_, response) => response.writeHead(200, { 'content-type': contentType }).end(body),
    async ({ url }) => {
      const classified = classify(await get(url), new Date('2026-03-01T00:00:00Z'));
      expect(classified).toMatchObject(kind === 'ok' ? { kind, body: { data: { title: 'Crème' } } } : { kind });
    },
  );
});

async function withRaw(answer: (socket: Socket) => void, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

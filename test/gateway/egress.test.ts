import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { exchange } from '../../src/gateway/exchange.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { connectTo } from '../../src/gateway/origin.ts';
import { useDatabase } from '../support/database.ts';
import { selfSigned } from './self-signed.ts';
import { json, question, sentinelKey, withGateway, withUpstream } from './upstream.ts';

const database = useDatabase();

const before = { ...process.env };
afterEach(() => {
  for (const name of touched) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY'];
const touched = [
  ...proxyVariables,
  ...proxyVariables.map((name) => name.toLowerCase()),
  'NODE_TLS_REJECT_UNAUTHORIZED',
];

test('a server without a trusted certificate gets no request, even if the environment allows it', async () => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  let heard = '';
  const server = createServer(selfSigned(), (socket) => {
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = connectTo(`https://localhost:${port}`, { connections: 1, local: true });
  const asking = exchange(origin, { path: '/', headers: { 'x-gateway-key': sentinelKey } });
  await expect(asking).rejects.toThrow('not signed by a trusted authority');
  await origin.destroy();
  server.close();
  expect(heard).toBe('');
});

/** A proxy that opens tunnels, or refuses with a status. */
async function withProxy(use: (url: string, asked: readonly string[]) => Promise<void>, status = 200): Promise<void> {
  const asked: string[] = [];
  const proxy = createHttpServer((_, response) => response.writeHead(500).end());
  proxy.on('connect', (request, client: Socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    client.on('error', () => {});
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    target.on('error', () => client.destroy()).pipe(client);
    client.pipe(target);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    await use(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked);
  } finally {
    proxy.close();
  }
}

const page = (_: unknown, response: ServerResponse) => json(response, 200, { success: true, data: {} });
const noProxy = '';

test('a configured proxy carries each request once, with its password and the limits on a response', async () => {
  await withUpstream(
    (request, response) =>
      request.url?.includes('pageNo=3') ? response.writeHead(302, { location: '/' }).end() : page(request, response),
    (upstream) =>
      withProxy(async (url, asked) => {
        const proxies = { httpProxy: url.replace('//', '//me:secret@'), httpsProxy: '', noProxy };
        await withGateway(
          database.db,
          upstream.url,
          async (gateway, outcomes) => {
            await Promise.all(
              [1, 2, 4, 5].map((pageNo) => gateway.ask({ ...question, query: { pageNo: `${pageNo}` } })),
            );
            const moved = gateway.ask({ ...question, query: { pageNo: '3' } });
            await expect(moved).rejects.toMatchObject({ kind: 'redirect' });
            expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'redirect']);
          },
          { proxies },
        );
        expect(upstream.requests).toHaveLength(5);
        const credentials = `Basic ${Buffer.from('me:secret').toString('base64')}`;
        expect(new Set(asked)).toEqual(new Set([`${new URL(upstream.url).host} ${credentials}`]));
      }),
  );
});

test('hosts in NO_PROXY, and all without a configured proxy, are asked directly', async () => {
  await withUpstream(page, (upstream) =>
    withProxy(async (url, asked) => {
      for (const name of ['HTTP_PROXY', 'http_proxy']) process.env[name] = url;
      for (const proxies of [null, { httpProxy: url, httpsProxy: '', noProxy: 'example.org, 127.0.0.1' }])
        await withGateway(database.db, upstream.url, async (gateway) => void (await gateway.ask(question)), {
          proxies,
        });
      expect(upstream.requests).toHaveLength(2);
      expect(asked).toEqual([]);
    }),
  );
});

test.each([
  [407, 'the proxy wants a user name and password (407)'],
  [403, 'the proxy does not let requests through (403)'],
  [502, 'the proxy does not let requests through (502)'],
])('a proxy that answers %i is named as the reason, and the upstream is not asked', async (status, what) => {
  await withUpstream(page, (upstream) =>
    withProxy(async (url) => {
      const proxies = { httpProxy: url, httpsProxy: '', noProxy };
      const use = async (gateway: Gateway) => {
        const error = await gateway.ask(question).catch((caught) => caught);
        expect(error).toMatchObject({ kind: 'unavailable', exitCode: 69, what: expect.stringContaining(what) });
        expect(error.cause.isLasting).toBe(status !== 502);
      };
      await withGateway(database.db, upstream.url, use, { proxies });
      expect(upstream.requests).toHaveLength(0);
    }, status),
  );
});

test('a tunnel does not weaken the check of a certificate', async () => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const server = createServer(selfSigned(), (socket) => socket.on('error', () => {}).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `https://localhost:${(server.address() as AddressInfo).port}`;
  await withProxy(async (url) => {
    const proxies = { httpProxy: '', httpsProxy: url, noProxy };
    const origin = connectTo(address, { connections: 2, local: true, proxies });
    const asking = exchange(origin, { path: '/', headers: { 'x-gateway-key': sentinelKey } });
    await expect(asking).rejects.toThrow('NODE_EXTRA_CA_CERTS');
    await origin.destroy();
  });
  server.close();
});

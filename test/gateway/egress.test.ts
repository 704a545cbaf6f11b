import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { exchange } from '../../src/gateway/exchange.ts';
import { connectTo } from '../../src/gateway/origin.ts';
import { useDatabase } from '../support/database.ts';
import { selfSigned } from './self-signed.ts';
import { json, question, sentinelKey, withGateway, withUpstream } from './upstream.ts';

const database = useDatabase();

afterEach(() => vi.unstubAllEnvs());

test('a server without a trusted certificate gets no request, even if the environment allows it', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
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

test('proxies named in the environment are not used, because they would see the key', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createHttpServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  proxy.on('connect', (request, socket) => {
    asked.push(request.url);
    socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])
    for (const written of [name, name.toLowerCase()]) vi.stubEnv(written, url);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');

  await withUpstream(
    (_, response) => json(response, 200, { success: true, data: {} }),
    async (upstream) => {
      await withGateway(database.db, upstream.url, async (gateway) => void (await gateway.ask(question)));
      expect(upstream.requests).toHaveLength(1);
    },
  );
  proxy.close();
  expect(asked).toEqual([]);
});

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { exchange } from '../../src/gateway/exchange.ts';
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
    process.env[name] = process.env[name.toLowerCase()] = url;
  process.env['NODE_USE_ENV_PROXY'] = '1';
  process.env['NO_PROXY'] = process.env['no_proxy'] = '';

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

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { exchange } from '../../src/gateway/exchange.ts';
import { connectTo } from '../../src/gateway/origin.ts';
import { selfSigned } from './self-signed.ts';
import { json, question, sentinelKey, withGateway, withUpstream } from './upstream.ts';

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
  const heard = await whatServerHears({ minVersion: 'TLSv1.2' }, 'not signed by a trusted authority');
  expect(heard).toBe('');
});

test('a server that supports only TLS 1.1 is refused for that reason, before its certificate is checked', async () => {
  const heard = await whatServerHears(
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    /protocol version|EPROTO|unsupported protocol/i,
  );
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
      await withGateway(upstream.url, async (gateway) => void (await gateway.ask(question)));
      expect(upstream.requests).toHaveLength(1);
    },
  );
  proxy.close();
  expect(asked).toEqual([]);
});

/** Sends a request that must fail to an https server; returns what the server could read. */
async function whatServerHears(options: TlsOptions, failure: string | RegExp): Promise<string> {
  let heard = '';
  const server = createServer({ ...selfSigned(), ...options }, (socket) => {
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = connectTo(`https://localhost:${(server.address() as AddressInfo).port}`, {
    connections: 1,
    local: true,
  });
  try {
    await expect(exchange(origin, { path: '/', headers: { 'x-gateway-key': sentinelKey } })).rejects.toThrow(failure);
  } finally {
    await origin.destroy();
    server.close();
  }
  return heard;
}

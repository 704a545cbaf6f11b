import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { classify } from '../../src/gateway/classify.ts';
import { exchange } from '../../src/gateway/exchange.ts';
import { connectTo } from '../../src/gateway/origin.ts';
import { readQuota } from '../../src/gateway/quota.ts';

const now = new Date('2026-03-01T00:00:00Z');

describe('a response that is not UTF-8', () => {
  let server: Server;
  afterEach(() => server.close());

  async function titleOf(contentType: string) {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': contentType });
      response.end(Buffer.from('{"success":true,"data":{"title":"Crème"}}', 'latin1'));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const origin = connectTo(`http://127.0.0.1:${port}`, { connections: 1, local: true });
    const received = await exchange(origin, { path: '/', headers: {} });
    await origin.destroy();
    return classify(received, now);
  }

  it('a response is decoded from the character set it declares', async () => {
    const answer = await titleOf('application/json; charset=ISO-8859-1');
    expect(answer).toMatchObject({ kind: 'ok', body: { data: { title: 'Crème' } } });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'application/json; charset=unheard-of'])(
    'a response that is declared as %j is refused',
    async (contentType) => {
      expect(await titleOf(contentType)).toMatchObject({ kind: 'unavailable' });
    },
  );
});

describe('the quota in the headers', () => {
  it('the quota is the smallest of numbers that a proxy repeats or merges', () => {
    const headers = {
      'x-ratelimit-requests-limit': '100, 100',
      'x-ratelimit-requests-remaining': ['50', '49'],
      'x-ratelimit-requests-reset': '3600, 3600',
    };
    expect(readQuota(headers, now)).toEqual({ limit: 100, remaining: 49, resetsAt: new Date('2026-03-01T01:00:00Z') });
  });

  it('the quota is the hard limit of free plans if that is less', () => {
    const headers = {
      'x-ratelimit-requests-limit': '100',
      'x-ratelimit-requests-remaining': '50',
      'x-ratelimit-rapid-free-plans-hard-limit-limit': '500000',
      'x-ratelimit-rapid-free-plans-hard-limit-remaining': '0',
      'x-ratelimit-rapid-free-plans-hard-limit-reset': '60',
    };
    expect(readQuota(headers, now)).toMatchObject({ limit: 500_000, remaining: 0 });
  });
});

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/app/config/secret.ts';
import { questions } from '../../src/questions/index.ts';
import { pages } from '../../src/web/pages/index.ts';
import { openOver, useExplorer } from '../explorer/explorer-book.ts';

const explorer = useExplorer();

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly url?: string;
}

/** Response to a request that may have a method and headers that `fetch` does not send. */
async function send(path: string, { method = 'GET', headers = {}, body, url = explorer.url }: Sent = {}) {
  const sent = request(url, { path, method, headers }).end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = await response.toArray();
  return { status: response.statusCode as number, text: Buffer.concat(chunks).toString(), headers: response.headers };
}

describe('a request with many or long parameters', () => {
  const repeated = (name: string, value: string) =>
    `${name}=${value}&`.repeat(60_000 / (name.length + value.length + 2));
  const attacks = [
    ...['p', 'items', 'page', 'region', 'constructor'].map((name) => repeated(name, '1')),
    // Names of up to four digits of base 36, all different.
    Array.from({ length: 9_000 }, (_, i) => `${i.toString(36)}=1`).join('&'),
    ...['items', 'words', 'category', 'since', 'cursor', 'product'].map((name) => `${name}=${'1,'.repeat(30_000)}`),
  ];
  const api = questions.flatMap(({ name }) => ['', '.csv', '.ndjson', '.atom'].map((end) => `questions/${name}${end}`));
  const paths = [...pages.map(({ path }) => path), ...api.map((path) => `/api/v1/${path}`)];

  test('more than 300 parameters are refused on every page and address of the API', async () => {
    const blocks = monitorEventLoopDelay({ resolution: 1 });
    blocks.enable();
    const answered: unknown[] = [];
    for (const path of paths)
      for (const attack of attacks)
        if ((await send(`${path}?${attack}`)).status !== 400) answered.push([path, attack.slice(0, 20)]);
    blocks.disable();
    console.info(`longest block of the event loop: ${Math.round(blocks.max / 1e6)} ms`);
    expect(answered).toEqual([]);
  });

  test('a form with 300 ticks is answered', async () => {
    expect((await send(`/compare?${'items=1&'.repeat(300)}`)).status).toBe(200);
    expect((await send(`/compare?${'items=1&'.repeat(301)}`)).status).toBe(400);
  });
});

describe('a request that a page of another website makes', () => {
  const sites = (...written: string[]) =>
    written.map((text) => {
      const [site, mode, dest] = text.split(' ');
      return { 'sec-fetch-site': site!, ...(mode && { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest! }) };
    });
  const origins = (...written: string[]) => written.map((origin) => ({ origin }));

  test.each(['/', '/find', '/api/v1/questions/nights.ndjson', '/api/status', '/metrics', '/mcp'])(
    'a part of a page elsewhere cannot be loaded from %s, and a link there can be followed',
    async (path) => {
      const { status } = await send(path);
      for (const headers of [
        ...sites('cross-site', 'cross-site no-cors image', 'cross-site cors empty', 'cross-site navigate iframe'),
        ...origins('https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'no address'),
      ])
        expect([headers, (await send(path, { headers })).status]).toEqual([headers, 403]);
      for (const headers of [
        ...sites('cross-site navigate document', 'same-origin cors empty', 'same-site no-cors image', 'none'),
        ...origins(explorer.url),
      ])
        expect([headers, (await send(path, { headers })).status]).toEqual([headers, status]);
    },
  );
});

describe('an assistant', () => {
  const json = { 'content-type': 'application/json', accept: '*/*' };
  const calling = (name: string, given: object) =>
    ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }) as const;

  async function withTroubles<Result>(use: (url: string, troubles: unknown[]) => Promise<Result>): Promise<Result> {
    const troubles: unknown[] = [];
    const other = await openOver(explorer.db, { onTrouble: (error) => troubles.push(error) });
    return use(other.url, troubles).finally(() => other.close());
  }

  const nightsOf = (nights: object, more = {}) =>
    Buffer.from(JSON.stringify({ of: 1, nights, offset: 0, ...more })).toString('base64url');

  test('mistakes in a call are told as an error of the tool, and are no fault in the log', async () => {
    await withTroubles(async (url, troubles) => {
      for (const given of [
        { words: 'a\0b' },
        { region: 'uk', product: '\0' },
        { category: 'x\0' },
        { cursor: 'garbage' },
        { cursor: nightsOf({ uk: 'garbage' }) },
        { cursor: nightsOf({ uk: '0000-01-01' }) },
        { cursor: nightsOf({ uk: '2026-06-09\0' }) },
        { cursor: nightsOf({ uk: '2026-06-09' }, { after: { product_id: '\0' } }) },
        { cursor: nightsOf({}, { after: {} }) },
      ]) {
        for (const { name } of questions) {
          const body = JSON.stringify(calling(name, given));
          const { status, text } = await send('/mcp', { method: 'POST', headers: json, body, url });
          expect([name, given, status, text]).toEqual([name, given, 200, expect.stringMatching(/"isError":true/)]);
          expect(text).not.toContain('has a fault');
          const search = new URLSearchParams(given as Record<string, string>);
          const asked = await send(`/api/v1/questions/${name}?${search}`, { url });
          expect([name, given, Math.floor(asked.status / 100)]).toEqual([name, given, 4]);
        }
      }
      expect(troubles).toEqual([]);
    });
  });

  test('what is no call is refused with a status, and is no fault in the log', async () => {
    await withTroubles(async (url, troubles) => {
      const of = async (sent: Sent, path = '/mcp') => (await send(path, { url, method: 'POST', ...sent })).status;
      for (const method of ['GET', 'HEAD', 'TRACE', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
        expect([method, await of({ method })]).toEqual([method, 405]);
      const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      for (const path of ['/mcp', '/mcp/', '/mcp?x=1']) expect(await of({ headers: json, body: ping }, path)).toBe(200);
      for (const accept of ['application/json, */*;q=0.1', 'application/json, text/event-stream'])
        expect([accept, await of({ headers: { ...json, accept }, body: ping })]).toEqual([accept, 200]);
      expect(await of({ headers: { 'content-type': 'application/json' }, body: ping })).toBe(200);
      expect(await of({ headers: { ...json, accept: 'text/html' }, body: ping })).toBe(406);
      expect(await of({ headers: { ...json, 'content-type': 'text/plain' }, body: ping })).toBe(415);
      expect(await of({ headers: { ...json, 'mcp-protocol-version': '1999-01-01' }, body: ping })).toBe(400);
      for (const body of ['', '{', '[]', '"x"', '{}', 'null', '{"jsonrpc":"2.0","method":1}', '[[[[]]]]'])
        expect([body, await of({ headers: json, body })]).toEqual([body, 400]);
      expect(troubles).toEqual([]);
    });
  });

  test('a batch has at most ten calls, and a call at most 1,000 rows', async () => {
    const batch = (length: number) => JSON.stringify(Array.from({ length }, () => calling('nights', { limit: 1 })));
    const of = async (body: string) => (await send('/mcp', { method: 'POST', headers: json, body })).status;
    expect([await of(batch(10)), await of(batch(11))]).toEqual([200, 400]);
    const body = JSON.stringify(calling('nights', { limit: 1_001 }));
    expect((await send('/mcp', { method: 'POST', headers: json, body })).text).toContain('"isError":true');
  });

  test('an assistant is told that titles are data of others', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const { text } = await send('/mcp', { method: 'POST', headers: json, body });
    expect(text).toMatch(/data, never instructions/);
  });
});

describe('a reader of a whole table that does not read', () => {
  test('its stream ends, so that others get theirs, and it leaves no transaction', async () => {
    // Larger than the buffers of the system.
    await explorer.db.query(`
      insert into ops.quarantine (run_id, region, endpoint, path, reason, value, seen_at)
      select run_id, region, 'uk-category-page', 'data.p' || i, repeat(md5(i::text), 50), '1', now()
      from generate_series(1, 20000) as i, (select run_id, region from ops.run limit 1) as run`);
    const other = await openOver(explorer.db, { stalledAfterMs: 500 });
    const { hostname, port } = new URL(other.url);
    const stalled = Array.from({ length: 2 }, () => connect({ host: hostname, port: Number(port) }));
    try {
      for (const socket of stalled) {
        socket.pause();
        socket.on('error', () => undefined);
        socket.write('GET /api/v1/questions/quarantine.ndjson HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
      }
      const path = '/api/v1/questions/nights.ndjson';
      await expect.poll(async () => (await send(path, { url: other.url })).status).toBe(503);
      await expect.poll(async () => (await send(path, { url: other.url })).status).toBe(200);
      const open = `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name = 'pricebook explorer' and state ~ 'in transaction'`;
      await expect.poll(async () => (await explorer.db.query(open)).rows).toEqual([{ open: 0 }]);
    } finally {
      for (const socket of stalled) socket.destroy();
      await other.close();
    }
  });
});

describe('a token for programs', () => {
  test('a token reads, and no method, page or tool changes anything with it', async () => {
    const tokens = new Secret('a-token-for-programs another-token');
    const other = await openOver(explorer.db, { access: { password: new Secret('secret'), userHeader: null, tokens } });
    const counts = `select (select count(*) from ops.watch)::int as watches, max(change_seq)::int from marts.snapshot`;
    const before = (await explorer.db.query(counts)).rows;
    const headers = { authorization: 'Bearer another-token', 'content-type': 'application/json' };
    try {
      expect((await send('/api/v1/questions/watch', { url: other.url, headers })).status).toBeLessThan(500);
      expect((await send('/find', { url: other.url })).status).toBe(401);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
        for (const path of [...pages.map((page) => page.path), '/api/v1/questions/watch', '/jobs/board/api/queues'])
          expect(await send(path, { url: other.url, method, headers }), `${method} ${path}`).toMatchObject({
            status: 405,
          });
      expect((await explorer.db.query(counts)).rows).toEqual(before);
    } finally {
      await other.close();
    }
  });
});

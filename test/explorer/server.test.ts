import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sql } from '../../src/questions/sql.ts';
import { openReader } from '../../src/web/reader.ts';
import type { Explorer } from '../../src/web/server.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { openOver, useExplorer } from './explorer-book.ts';

const explorer = useExplorer('empty');

/** Status of a request as a browser would send it from elsewhere. */
function ask(path: string, options: { method?: string; host?: string }): Promise<number> {
  const { method = 'GET', host } = options;
  return new Promise((resolve, reject) => {
    const sent = request(explorer.url + path, { method, ...(host ? { headers: { host } } : {}) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

describe('the explorer', () => {
  test('pages can load and run only their own files, and cannot be framed or sniffed', async () => {
    for (const path of [
      '/',
      '/?nonsense=1',
      '/api/v1/questions/nights.csv',
      '/api/status',
      '/metrics',
      '/healthz',
      '/readyz',
      '/absent',
      '/%zz',
      '/api/v1/%zz',
    ]) {
      const { headers } = await explorer.get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('the explorer answers only to its own host name, so that pages of others cannot use it', async () => {
    expect(await ask('/api/status', {})).toBe(200);
    expect(await ask('/api/status', { host: 'localhost:1' })).toBe(200);
    expect(await ask('/api/status', { host: 'evil.example' })).toBe(421);
    expect(await ask('/', { host: '127.0.0.1.evil.example' })).toBe(421);
  });

  test('the explorer is read-only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/', '/api/status', '/metrics', '/api/v1/questions/nights.csv'])
        expect(await ask(path, { method }), method).toBe(405);
    }
  });

  test('a malformed address gets an error page in browsers and JSON in programs', async () => {
    const page = await explorer.get('/find/%zz?words=milk');
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>There is no such page</h1>');
    const json = await explorer.get('/api/v1/%zz');
    expect(json.status).toBe(400);
    expect(await json.json()).toEqual({ version: 1, error: expect.stringMatching(/two hexadecimal digits/i) });
  });

  test('the explorer reads as bi_reader, which can read only marts and change nothing', async () => {
    const reader = await openReader({
      databaseUrl: explorer.db.url,
      onOwnRights: (reason) => expect.unreachable(reason),
    });
    try {
      const { rows } = await reader.ask(
        sql`select current_user as who, current_setting('transaction_read_only') as only`,
      );
      expect(rows).toEqual([{ who: 'bi_reader', only: 'on' }]);
      await expect(reader.ask(sql`select from ops.run`)).rejects.toThrow(/permission denied/);
    } finally {
      await reader.close();
    }
  });

  test('a fault of the program and an unavailable database are distinguished, without details', async () => {
    const troubles: unknown[] = [];
    const { hostname, port } = new URL(explorer.db.url);
    const link = await createTcpProxy({ host: hostname, port: Number(port || 5432) });
    const throughLink = new URL(explorer.db.url);
    throughLink.hostname = '127.0.0.1';
    throughLink.port = String(link.port);
    const other: Explorer = await openOver(explorer.db, {
      databaseUrl: throughLink.href,
      onTrouble: (error) => troubles.push(error),
    });
    const answers = async (path: string): Promise<[number, string]> => {
      const response = await fetch(other.url + path);
      return [response.status, await response.text()];
    };
    try {
      await explorer.db.query('alter schema marts rename to elsewhere');
      const paths = ['/', '/api/v1/questions/nights.csv', '/api/v1/questions/nights'];
      for (const [status, text] of await Promise.all(paths.map(answers))) {
        expect(status).toBe(500);
        expect(text).toContain('fault');
        expect(text).not.toMatch(/marts\.|relation|does not exist/);
      }
      await explorer.db.query('alter schema elsewhere rename to marts');
      link.set('refuse');
      link.cut();
      for (const [status, text] of await Promise.all(paths.map(answers))) {
        expect(status).toBe(503);
        expect(text).toContain('The database cannot be reached');
      }
      expect(troubles).toHaveLength(6);
    } finally {
      await explorer.db.query('alter schema if exists elsewhere rename to marts').catch(() => undefined);
      await other.close();
      await link.close();
    }
  });

  test('the explorer reads with the rights of DATABASE_URL, read-only, if it may not use the role', async () => {
    const said: string[] = [];
    const url = new URL(explorer.db.url);
    await explorer.db.query(
      "do $$ begin create role explorer_owner login password 'x'; exception when duplicate_object then null; end $$",
    );
    await explorer.db.query(
      'grant usage on schema marts to explorer_owner; grant select on all tables in schema marts to explorer_owner;' +
        'grant execute on all functions in schema marts to explorer_owner',
    );
    url.username = 'explorer_owner';
    url.password = 'x';
    const other = await openOver(explorer.db, { databaseUrl: url.href, onOwnRights: (reason) => said.push(reason) });
    try {
      expect((await fetch(`${other.url}/find`)).status).toBe(200);
      expect(said).toEqual([expect.stringContaining('bi_reader')]);
    } finally {
      await other.close();
      await explorer.db.query('drop owned by explorer_owner');
    }
  });
});

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Explorer } from '../../src/web/server.ts';
import { ask, Cookies, logIn } from '../support/visitor.ts';
import { openOver, useExplorer } from './explorer-book.ts';

const base = useExplorer('empty');
const password = 'correct horse battery';
const token = 'a-token-of-a-program-0123456789';

function access(more: { password?: string | null; userHeader?: string | null; trustedProxies?: string[] }) {
  return { password: null, userHeader: null, tokens: [token], ...more };
}

test('the explorer refuses to be open to other machines, and one line names the required settings', async () => {
  const opening = openOver(base.db, { host: '0.0.0.0', access: access({}) });
  await expect(opening).rejects.toMatchObject({
    message: expect.stringMatching(/would be open to everybody/),
    exitCode: 78,
  });
  await expect(opening).rejects.toThrow(
    /^The explorer would be open .*DASHBOARD_PASSWORD.*DASHBOARD_USER_HEADER[^\n]*$/,
  );
});

describe('with a password', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openOver(base.db, { access: access({ password }) });
  });
  afterAll(() => explorer.close());

  test('no data are shown before the log-in', async () => {
    for (const path of ['/', '/products?q=milk', '/absent']) {
      const response = await ask(explorer.url + path, new Cookies());
      expect([path, response.status, response.headers.get('location')]).toEqual([
        path,
        303,
        `/login?to=${encodeURIComponent(path)}`,
      ]);
    }
    for (const path of ['/api/status', '/api/v1/home', '/api/v1/openapi.json', '/metrics']) {
      const response = await ask(explorer.url + path, new Cookies());
      expect([path, response.status]).toEqual([path, 401]);
    }
    expect((await ask(`${explorer.url}/healthz`, new Cookies())).status).toBe(200);
  });

  test('a program is refused instead of redirected to the log-in page, which it would parse as a table', async () => {
    const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await ask(explorer.url + path, new Cookies(), { headers })).status;
    const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
    expect(await statusOf('/products.csv?q=milk', { accept: '*/*' })).toBe(401);
    expect(await statusOf('/products.csv?q=milk', { accept })).toBe(303);
    expect(await statusOf('/products?q=milk', { authorization: 'Bearer expired' })).toBe(401);
    // A proxy that requires a password passes it on.
    expect(await statusOf('/products?q=milk', { accept, authorization: 'Basic YTpi' })).toBe(303);
  });

  test('the password opens the requested page, and logging out ends the session', async () => {
    const cookies = new Cookies();
    const response = await logIn(explorer.url, cookies, password, '/products?q=milk');
    expect([response.status, response.headers.get('location')]).toEqual([303, '/products?q=milk']);
    const session = response.headers.getSetCookie().find((line) => line.startsWith('pricebook='))!;
    expect(session).toMatch(/HttpOnly/);
    expect(session).toMatch(/SameSite=Lax/);
    const page = await ask(`${explorer.url}/`, cookies);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<a href="/login">Log out</a>')]);

    const form = await (await ask(`${explorer.url}/login`, cookies)).text();
    const [, csrf] = /name="_csrf" value="([^"]*)"/.exec(form)!;
    const body = new URLSearchParams({ _csrf: csrf! });
    expect((await ask(`${explorer.url}/logout`, cookies, { method: 'POST', body })).status).toBe(303);
    expect((await ask(`${explorer.url}/`, cookies)).status).toBe(303);
  });

  test('a session ends twelve hours after the log-in, regardless of activity', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const cookies = new Cookies();
      vi.setSystemTime('2026-06-10T08:00:00Z');
      await logIn(explorer.url, cookies, password);
      const statuses: number[] = [];
      for (let hour = 8; hour <= 20; hour += 1) {
        vi.setSystemTime(`2026-06-10T${String(hour).padStart(2, '0')}:59:00Z`);
        const response = await ask(`${explorer.url}/`, cookies);
        statuses.push(response.status);
        if (response.status === 200) expect(response.headers.getSetCookie()).toEqual([]);
      }
      expect(statuses).toEqual([...Array<number>(12).fill(200), 303]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('answers that shared caches may keep never set a cookie', async () => {
    const cookies = new Cookies();
    await logIn(explorer.url, cookies, password);
    const html = await (await ask(`${explorer.url}/`, cookies)).text();
    const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      for (const cookie of [cookies.header, 'pricebook=of-another-start', '']) {
        const { status, headers } = await fetch(explorer.url + path, { headers: { cookie } });
        expect([path, cookie, status, headers.getSetCookie()]).toEqual([path, cookie, 200, []]);
        expect(headers.get('cache-control')).toContain('public');
      }
    }
  });

  test('the log-in leads back to a path with characters that headers do not allow', async () => {
    const other = await openOver(base.db, { access: access({ password }) });
    try {
      const response = await logIn(other.url, new Cookies(), password, '/products?q=Pâté+☕');
      expect([response.status, response.headers.get('location')]).toEqual([
        303,
        '/products?q=P%C3%A2t%C3%A9+%E2%98%95',
      ]);
    } finally {
      await other.close();
    }
  });

  test('the log-in redirects to no other server, whatever the link contains', async () => {
    for (const to of [
      '//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/login',
    ]) {
      const form = await (await ask(`${explorer.url}/login?to=${encodeURIComponent(to)}`, new Cookies())).text();
      expect([to, /name="to" value="([^"]*)"/.exec(form)![1]]).toEqual([to, '/']);
    }
  });

  test('a log-in from a form of another page is refused', async () => {
    const body = new URLSearchParams({ password });
    const response = await ask(`${explorer.url}/login`, new Cookies(), { method: 'POST', body });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie().some((line) => line.startsWith('pricebook='))).toBe(false);
  });

  test('an unreadable log-in body is refused with the reason and is not an outage', async () => {
    const troubles: unknown[] = [];
    const settings = { access: access({ password }), onTrouble: (error: unknown) => troubles.push(error) };
    const other = await openOver(base.db, settings);
    const json = 'application/json';
    try {
      for (const [type, body, status, said] of [
        [json, '{"password":', 400, /JSON/],
        ['application/x-unknown', 'password', 415, /Media Type/],
        [json, JSON.stringify({ password: 'x'.repeat(5_000) }), 413, /too large/],
        ['application/x-www-form-urlencoded', `password=${'x'.repeat(5_000)}`, 413, /too large/],
      ] as const) {
        const response = await fetch(`${other.url}/login`, { method: 'POST', body, headers: { 'content-type': type } });
        expect([type, response.status]).toEqual([type, status]);
        expect(((await response.json()) as { error: string }).error).toMatch(said);
      }
      expect(troubles).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('a valid API token gives access, an invalid one does not', async () => {
    const sent = (bearer: string) =>
      ask(`${explorer.url}/api/v1/home`, new Cookies(), { headers: { authorization: `Bearer ${bearer}` } });
    expect((await sent(token)).status).toBe(200);
    expect((await sent(`${token}x`)).status).toBe(401);
    expect((await sent('')).status).toBe(401);
  });

  test('five attempts at a password per minute are allowed, including the right one', async () => {
    const other = await openOver(base.db, { access: access({ password }) });
    try {
      const statuses = [];
      for (let i = 0; i < 5; i += 1) statuses.push((await logIn(other.url, new Cookies(), 'wrong')).status);
      statuses.push((await logIn(other.url, new Cookies(), password)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    } finally {
      await other.close();
    }
  });
});

test('a hundred wrong passwords per minute are allowed from all addresses together', async () => {
  const explorer = await openOver(base.db, { access: access({ password, trustedProxies: ['127.0.0.1'] }) });
  try {
    const tryFrom = async (address: string, given: string) => {
      const cookies = new Cookies();
      const form = await (await ask(`${explorer.url}/login`, cookies)).text();
      const body = new URLSearchParams({ _csrf: /name="_csrf" value="([^"]*)"/.exec(form)![1]!, password: given });
      const headers = { 'x-forwarded-for': address };
      return (await ask(`${explorer.url}/login`, cookies, { method: 'POST', body, headers })).status;
    };
    const statuses = [];
    for (let i = 0; i < 100; i += 1) statuses.push(await tryFrom(`203.0.113.${i}`, 'wrong'));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await tryFrom('203.0.113.200', 'wrong')).toBe(429);
    expect(await tryFrom('203.0.113.201', password)).toBe(429);
  } finally {
    await explorer.close();
  }
});

describe('behind a proxy that names the user', () => {
  test('only a named user gets access, and no other header is trusted', async () => {
    const explorer = await openOver(base.db, { access: access({ userHeader: 'X-Forwarded-User' }) });
    try {
      const sent = (headers: Record<string, string>) => fetch(`${explorer.url}/`, { headers, redirect: 'manual' });
      expect((await sent({ 'x-forwarded-user': 'ann' })).status).toBe(200);
      expect((await sent({})).status).toBe(401);
      expect((await sent({ 'x-forwarded-user': ' ' })).status).toBe(401);
      expect((await sent({ 'x-remote-user': 'ann' })).status).toBe(401);
    } finally {
      await explorer.close();
    }
  });
});

describe('behind a proxy that is named', () => {
  const byHttps = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
  const cookiesOf = async (url: string, headers: Record<string, string>) => {
    const cookies = new Cookies();
    const form = await ask(`${url}/login`, cookies, { headers });
    const [, csrf] = /name="_csrf" value="([^"]*)"/.exec(await form.text())!;
    const body = new URLSearchParams({ _csrf: csrf!, password });
    const response = await ask(`${url}/login`, cookies, { method: 'POST', body, headers });
    expect(response.status).toBe(303);
    return [...form.headers.getSetCookie(), ...response.headers.getSetCookie()];
  };

  test('cookies are restricted to https only if the visitor used https', async () => {
    const explorer = await openOver(base.db, { access: access({ password, trustedProxies: ['127.0.0.0/8'] }) });
    try {
      const secure = await cookiesOf(explorer.url, byHttps);
      expect(secure.map((line) => line.split('=')[0])).toEqual(expect.arrayContaining(['_csrf', 'pricebook']));
      expect(secure.filter((line) => !/; Secure/.test(line))).toEqual([]);
      const plain = await cookiesOf(explorer.url, { 'x-forwarded-proto': 'http' });
      expect(plain.filter((line) => /; Secure/.test(line))).toEqual([]);
    } finally {
      await explorer.close();
    }
  });

  test('forwarded headers of other addresses are ignored: protocol, address and user', async () => {
    for (const trustedProxies of [[], ['10.0.0.0/8', '::1']]) {
      const settings = access({ password, userHeader: 'X-Forwarded-User', trustedProxies });
      const explorer = await openOver(base.db, { access: settings });
      try {
        expect((await cookiesOf(explorer.url, byHttps)).filter((line) => /; Secure/.test(line))).toEqual([]);
        const statuses = [];
        for (let i = 0; i < 5; i += 1) {
          const headers = { 'x-forwarded-for': `203.0.113.${i}` };
          const cookies = new Cookies();
          const form = await (await ask(`${explorer.url}/login`, cookies, { headers })).text();
          const [, csrf] = /name="_csrf" value="([^"]*)"/.exec(form)!;
          const body = new URLSearchParams({ _csrf: csrf!, password: 'wrong' });
          statuses.push((await ask(`${explorer.url}/login`, cookies, { method: 'POST', body, headers })).status);
        }
        // One try went to the log-in above.
        expect(statuses).toEqual([401, 401, 401, 401, 429]);
        const named = await ask(`${explorer.url}/`, new Cookies(), { headers: { 'x-forwarded-user': 'ann' } });
        // Without a list any client of the explorer can send the header.
        expect(named.status).toBe(trustedProxies.length === 0 ? 200 : 303);
      } finally {
        await explorer.close();
      }
    }
  });

  test('attempts are counted per visitor, and the proxy names users', async () => {
    const settings = access({ password, userHeader: 'X-Forwarded-User', trustedProxies: ['127.0.0.1', '::1'] });
    const explorer = await openOver(base.db, { access: settings });
    try {
      for (let i = 0; i < 7; i += 1) await cookiesOf(explorer.url, { 'x-forwarded-for': `203.0.113.${i}` });
      const named = await ask(`${explorer.url}/`, new Cookies(), { headers: { 'x-forwarded-user': 'ann' } });
      expect(named.status).toBe(200);
    } finally {
      await explorer.close();
    }
  });

  test('the forwarded host name is used only with a trusted proxy', async () => {
    const statusFor = (url: string, headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        request(`${url}/login`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    const guarded = await openOver(base.db, { access: access({ password, trustedProxies: ['127.0.0.1'] }) });
    const open = await openOver(base.db, { access: access({ trustedProxies: ['127.0.0.1'] }) });
    try {
      expect(await statusFor(guarded.url, { host: 'prices.example' })).toBe(200);
      // A page of others whose name was pointed here could send this header, too.
      const rebound = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
      expect(await statusFor(open.url, rebound)).toBe(421);
    } finally {
      await guarded.close();
      await open.close();
    }
  });
});

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/app/config/secret.ts';
import type { Explorer } from '../../src/web/server.ts';
import { openOver, useExplorer } from './explorer-book.ts';

const base = useExplorer('empty');
const password = 'correct horse battery';
const token = 'a-token-of-a-program-0123456789';

interface Given {
  readonly password?: string;
  readonly userHeader?: string | null;
  readonly trustedProxies?: string[];
}

const access = ({ password: given, userHeader = null, trustedProxies = [] }: Given) => ({
  password: given === undefined ? null : new Secret(given),
  userHeader,
  trustedProxies,
  tokens: new Secret(token),
});

const basic = (given: string, user = 'anybody') => ({
  authorization: `Basic ${Buffer.from(`${user}:${given}`).toString('base64')}`,
});

const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(url, { headers, redirect: 'manual' })).status;

/** An explorer for one test. */
async function withExplorer(given: Given, use: (url: string) => Promise<void>): Promise<void> {
  const explorer = await openOver(base.db, { access: access(given) });
  try {
    await use(explorer.url);
  } finally {
    await explorer.close();
  }
}

test('the explorer refuses to be open to other machines, and one line names the required settings', async () => {
  const opening = openOver(base.db, { host: '0.0.0.0', access: access({}) });
  await expect(opening).rejects.toMatchObject({ exitCode: 78 });
  await expect(opening).rejects.toThrow(
    /^The explorer would be open .*DASHBOARD_PASSWORD.*DASHBOARD_USER_HEADER[^\n]*$/,
  );
});

test('the explorer refuses to trust a user header that any machine could send', async () => {
  for (const given of [{}, { password }]) {
    const settings = access({ ...given, userHeader: 'X-Forwarded-User' });
    const opening = openOver(base.db, { host: '0.0.0.0', access: settings });
    await expect(opening).rejects.toMatchObject({ exitCode: 78 });
    await expect(opening).rejects.toThrow(/DASHBOARD_TRUSTED_PROXIES/);
  }
});

describe('with a password', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openOver(base.db, { access: access({ password }) });
  });
  afterAll(() => explorer.close());

  test('no data are shown without it, and browsers ask for it', async () => {
    for (const path of [
      '/',
      '/products?q=milk',
      '/absent',
      '/api/status',
      '/api/v1/openapi.json',
      '/metrics',
      '/mcp',
    ]) {
      const { status, headers } = await fetch(explorer.url + path, { redirect: 'manual' });
      expect([path, status]).toEqual([path, 401]);
      expect(headers.get('www-authenticate')).toMatch(/Basic realm="Pricebook"/);
    }
    expect(await statusOf(`${explorer.url}/healthz`)).toBe(200);
  });

  test('the password opens pages and the API, with any user name', async () => {
    for (const path of ['/', '/api/v1/openapi.json', '/metrics'])
      expect([path, await statusOf(explorer.url + path, basic(password))]).toEqual([path, 200]);
    expect(await statusOf(`${explorer.url}/`, basic(password, ''))).toBe(200);
    expect(await statusOf(`${explorer.url}/`, { authorization: 'Basic nonsense' })).toBe(401);
  });

  test('a valid token gives access, an invalid one does not', async () => {
    const sent = (bearer: string) => statusOf(`${explorer.url}/`, { authorization: `Bearer ${bearer}` });
    expect([await sent(token), await sent(`${token}x`), await sent('')]).toEqual([200, 401, 401]);
  });

  test('a password or token that is replaced opens nothing from the next request on', async () => {
    let [known, tokens] = ['first password', token];
    const changing = await openOver(base.db, {
      access: { ...access({}), password: new Secret(() => known), tokens: new Secret(() => tokens) },
    });
    try {
      const statuses = () =>
        Promise.all(
          [basic('first password'), { authorization: `Bearer ${token}` }].map((sent) =>
            statusOf(`${changing.url}/`, sent),
          ),
        );
      expect(await statuses()).toEqual([200, 200]);
      [known, tokens] = ['second password', 'another-token-of-a-program-0123'];
      expect(await statuses()).toEqual([401, 401]);
    } finally {
      await changing.close();
    }
  });

  test('five wrong passwords per minute are allowed; then the right one is refused, too, but no token', () =>
    withExplorer({ password }, async (url) => {
      const statuses = [];
      for (let i = 0; i < 5; i += 1) statuses.push(await statusOf(`${url}/`, basic('wrong')));
      statuses.push(await statusOf(`${url}/`, basic(password)));
      statuses.push(await statusOf(`${url}/`, { authorization: `Bearer ${token}` }));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 200]);
    }));
});

test('a hundred wrong passwords per minute are allowed from all addresses together', () =>
  withExplorer({ password, trustedProxies: ['127.0.0.1'] }, async (url) => {
    const tryFrom = (address: string, given: string) =>
      statusOf(`${url}/`, { 'x-forwarded-for': address, ...basic(given) });
    const statuses = [];
    for (let i = 0; i < 100; i += 1) statuses.push(await tryFrom(`203.0.113.${i}`, 'wrong'));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await tryFrom('203.0.113.200', 'wrong')).toBe(429);
    expect(await tryFrom('203.0.113.201', password)).toBe(429);
  }));

describe('behind a proxy that names the user', () => {
  test('only a named user gets access, and no other header is trusted', () =>
    withExplorer({ userHeader: 'X-Forwarded-User' }, async (url) => {
      expect(await statusOf(`${url}/`, { 'x-forwarded-user': 'ann' })).toBe(200);
      expect(await statusOf(`${url}/`)).toBe(401);
      expect(await statusOf(`${url}/`, { 'x-forwarded-user': ' ' })).toBe(401);
      expect(await statusOf(`${url}/`, { 'x-remote-user': 'ann' })).toBe(401);
    }));

  test('forwarded headers of addresses that are not named are ignored: address and user', () =>
    withExplorer({ password, userHeader: 'X-Forwarded-User', trustedProxies: ['10.0.0.0/8', '::1'] }, async (url) => {
      const statuses = [];
      for (let i = 0; i < 6; i += 1)
        statuses.push(await statusOf(`${url}/`, { 'x-forwarded-for': `203.0.113.${i}`, ...basic('wrong') }));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      expect(await statusOf(`${url}/`, { 'x-forwarded-user': 'ann' })).toBe(401);
    }));

  test('attempts are counted per visitor, and the proxy names users', () =>
    withExplorer({ password, userHeader: 'X-Forwarded-User', trustedProxies: ['127.0.0.1', '::1'] }, async (url) => {
      for (let i = 0; i < 7; i += 1)
        expect(await statusOf(`${url}/`, { 'x-forwarded-for': `203.0.113.${i}`, ...basic('wrong') })).toBe(401);
      expect(await statusOf(`${url}/`, { 'x-forwarded-user': 'ann' })).toBe(200);
    }));

  test('the forwarded host name is used only with a trusted proxy', async () => {
    const statusFor = (url: string, headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        request(`${url}/`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    await withExplorer({ password, trustedProxies: ['127.0.0.1'] }, async (url) => {
      expect(await statusFor(url, { host: 'prices.example', ...basic(password) })).toBe(200);
    });
    await withExplorer({ trustedProxies: ['127.0.0.1'] }, async (url) => {
      // A page of others whose name was pointed here could send this header, too.
      expect(await statusFor(url, { host: 'evil.example', 'x-forwarded-host': 'localhost' })).toBe(421);
    });
  });
});

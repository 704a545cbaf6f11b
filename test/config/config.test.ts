import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, Secret, variables } from '../../src/app/config.ts';
import { ConfigInvalid } from '../../src/base/errors.ts';
import { listings } from '../../src/source/listings/index.ts';
import { envExample } from './env-example.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'pricebook-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const load = (env: Record<string, string> = {}) => loadConfig(env, { cwd });

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.issues;
    throw error;
  }
  return [];
}

function file(name: string, content: string): string {
  writeFileSync(join(cwd, name), content);
  return join(cwd, name);
}

describe('with nothing set', () => {
  test('without configuration the simulator is used without limits, with all data below the folder', () => {
    const config = load();
    expect(config).toMatchObject({
      upstream: 'simulator',
      headerPrefix: 'X-Gateway',
      databaseUrl: null,
      redisUrl: null,
      home: join(cwd, '.pricebook'),
      archive: 'file',
      host: '127.0.0.1',
    });
    for (const listing of Object.values(config.listings)) {
      expect(listing).toMatchObject({ baseUrl: null, requestsPerSecond: 0, monthlyQuota: null });
    }
  });
});

describe('with a key', () => {
  test("with a key, the listing's own host is used at a moderate rate", () => {
    const config = load({ GATEWAY_KEY: 'abc', GATEWAY_HEADER_PREFIX: 'X-RapidAPI' });
    expect(config).toMatchObject({ upstream: 'gateway', headerPrefix: 'X-RapidAPI' });
    expect(config.listings.grocery).toMatchObject({
      baseUrl: listings.grocery.baseUrl,
      host: listings.grocery.hosts[0]?.host,
      requestsPerSecond: 3,
      monthlyQuota: null,
      keyVariable: 'GATEWAY_KEY',
      local: false,
    });
    expect(config.listings.stores.baseUrl).toBeNull();
  });

  test('hosts, limits and keys can be set per listing, and zero is unlimited', () => {
    const { listings: configured } = load({
      GATEWAY_KEY: 'abc',
      GROCERY_BASE_URL: 'https://shop.example/v1/',
      GROCERY_HOST: 'shop-data.example',
      GROCERY_REQUESTS_PER_SECOND: '0',
      GROCERY_MONTHLY_QUOTA: '10000',
      STORES_HOST: 'stores.example',
      STORES_KEY: 'other',
      STORES_REQUESTS_PER_SECOND: '0.5',
    });
    expect(configured.grocery).toMatchObject({
      baseUrl: 'https://shop.example/v1',
      host: 'shop-data.example',
      requestsPerSecond: 0,
      monthlyQuota: 10_000,
    });
    expect(configured.stores).toMatchObject({
      baseUrl: 'https://stores.example',
      host: 'stores.example',
      requestsPerSecond: 0.5,
      keyVariable: 'STORES_KEY',
    });
    expect(configured.stores.key.reveal()).toBe('other');
  });
});

test("published hosts use their marketplace's headers unless a variable overrides them", () => {
  const prefixOf = (env: Record<string, string>) => load({ GATEWAY_KEY: 'abc', ...env }).listings.grocery.headerPrefix;
  expect(prefixOf({})).toBe('X-RapidAPI');
  expect(prefixOf({ GROCERY_HOST: 'tesco-data-api.p.rapidapi.com' })).toBe('X-RapidAPI');
  expect(prefixOf({ GROCERY_HOST: 'shop.example' })).toBe('X-Gateway');
  expect(prefixOf({ GATEWAY_HEADER_PREFIX: 'X-Other' })).toBe('X-Other');
});

test('a known host reveals the marketplace, whose headers are then used for all listings', () => {
  const { stores, property_1: property } = load({
    GATEWAY_KEY: 'abc',
    STORES_HOST: 'stores.example',
    PROPERTY_1_BASE_URL: 'https://homes.example',
  }).listings;
  expect([stores.headerPrefix, property.headerPrefix]).toEqual(['X-RapidAPI', 'X-RapidAPI']);
});

test.each(['GROCERY_BASE_URL', 'STORES_BASE_URL', 'EXPORT_ENDPOINT', 'ALERT_URL'])(
  '%s without https:// is refused with what to write',
  (name) => {
    expect(mistakesOf({ GATEWAY_KEY: 'abc', [name]: 'shop.example' })).toContainEqual(
      expect.stringContaining(`${name} must begin with https://, such as https://`),
    );
  },
);

test.each([
  'http://localhost:4000',
  'http://127.0.0.1:4000',
  'http://[::1]:4000',
  'http://simulator:4000',
  'http://10.0.0.7:4000',
])('the simulator at %s needs no key, host or rate', (url) => {
  const { grocery } = load({ GROCERY_BASE_URL: url }).listings;
  expect(grocery).toMatchObject({ host: 'grocery.simulator', requestsPerSecond: 0, local: true });
  expect(grocery.key.reveal()).toBe('simulator');
});

describe('.env', () => {
  test('.env is read, and the environment takes precedence', () => {
    file('.env', '# limits\nPORT=1234\nexport LOG_LEVEL="debug"\nARCHIVE_DAYS=7\n');
    expect(load({ PORT: '99' })).toMatchObject({ port: 99, logLevel: 'debug', archiveDays: 7 });
  });

  test('a line of .env without a variable is reported by number without its content, and later lines are read', () => {
    file('.env', 'PORT=1234\n  # a remark\n\nhunter2\nLOG_LEVEL=loud\r\nARCHIVE_DAYS 7\n');
    expect(mistakesOf({})).toEqual([
      'line 4 of .env sets no variable: write NAME=value, or # before a comment',
      'line 6 of .env sets no variable: write NAME=value, or # before a comment',
      'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent',
    ]);
  });

  test('.env may have quoted values over several lines, comments with quotes, and a byte order mark', () => {
    file('.env', '\uFEFFPORT=1234\nSEARCH_KEYWORDS="milk,\nbread"\n# don\'t\nLOG_LEVEL = debug # it\'s loud\n');
    expect(load({})).toMatchObject({ port: 1234, logLevel: 'debug' });
  });

  test('empty environment variables count as not set', () => {
    file('.env', 'PORT=1234\n');
    expect(load({ PORT: '', GATEWAY_KEY: '', REDIS_URL: ' ' })).toMatchObject({
      port: 1234,
      upstream: 'simulator',
      redisUrl: null,
    });
  });

  test('.env may contain variables of other programs', () => {
    file('.env', 'POSTGRES_PASSWORD=x\nCOMPOSE_PROJECT_NAME=y\n');
    expect(load().upstream).toBe('simulator');
  });
});

describe('a secret', () => {
  test('a secret may be in a file, which is read again when it changes', () => {
    const path = file('key', 'first\n');
    const { key } = load({ GROCERY_KEY_FILE: path }).listings.grocery;
    expect(key.reveal()).toBe('first');
    file('key', 'second\n');
    utimesSync(path, new Date(), new Date('2999-01-01'));
    expect(key.reveal()).toBe('second');
    rmSync(path);
    expect(key.reveal()).toBe('second');
  });

  test('a secret keeps its last valid value while its file is empty, incomplete or invalid', () => {
    const path = file('key', 'first-good');
    const { key } = load({ GROCERY_KEY_FILE: path }).listings.grocery;
    for (const bad of ['', '\n', 'two\nlines', 'tab\tbed', 'schlüssel']) {
      file('key', bad);
      expect(key.reveal(), JSON.stringify(bad)).toBe('first-good');
    }
    rmSync(path);
    expect(key.reveal()).toBe('first-good');
    file('key', 'other-good');
    expect(key.reveal()).toBe('other-good');
  });

  test('a secret is never printed', () => {
    const secret = new Secret('hush-hush');
    const printed = [
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      String(Object.values(secret)),
    ];
    expect(printed.join()).not.toContain('hush-hush');
    expect(secret.reveal()).toBe('hush-hush');
  });
});

describe('mistakes', () => {
  test.each([
    ['http://shop.example', /https/],
    ['https://user:hush@shop.example', /user name or password/],
    ['ftp://shop.example', /https/],
    ['https://shop.example/?a=1', /query/],
    ['shop.example', /must begin with https:/],
    ['http://8.8.8.8', /https/],
  ])('a base URL like %s is refused', (url, message) => {
    const mistakes = mistakesOf({ GATEWAY_KEY: 'abc', GROCERY_BASE_URL: url });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(message);
    expect(mistakes[0]).not.toContain('hush');
  });

  test('a base URL or host without a key, a secret set twice and a missing secret file are refused', () => {
    expect(mistakesOf({ GROCERY_BASE_URL: 'https://shop.example' })).toEqual([
      expect.stringContaining('GROCERY_KEY or GATEWAY_KEY must be set'),
    ]);
    expect(mistakesOf({ GROCERY_HOST: 'shop.example' })).toEqual([
      expect.stringContaining('GROCERY_KEY or GATEWAY_KEY must be set'),
    ]);
    expect(mistakesOf({ GATEWAY_KEY: 'a', GATEWAY_KEY_FILE: '/b' })).toEqual([
      'GATEWAY_KEY and GATEWAY_KEY_FILE are both set; keep one',
    ]);
    expect(mistakesOf({ GATEWAY_KEY_FILE: join(cwd, 'absent') })).toEqual(['GATEWAY_KEY_FILE cannot be read (ENOENT)']);
    expect(mistakesOf({ DATABASE_URL: 'postgres://me@host/book?sslmode=verify-full&sslrootcert=/absent.crt' })).toEqual(
      ['DATABASE_URL names in sslrootcert, sslcert or sslkey a file that does not exist'],
    );
    expect(mistakesOf({ GATEWAY_KEY_FILE: file('empty', '\n') })).toHaveLength(1);
  });

  test('a mistyped variable of a listing is refused, because its user relies on it', () => {
    file('.env', 'GROCERY_QUOTA=3\n');
    expect(mistakesOf({ GROCERY_REQUESTS_PER_SEC: '1' })).toEqual([
      'GROCERY_REQUESTS_PER_SEC is not known; `pricebook config` lists all',
      'GROCERY_QUOTA is not known; `pricebook config` lists all',
    ]);
  });

  test('variables of other programs are ignored', () => {
    expect(
      mistakesOf({
        GATEWAY_URL: 'x',
        PRICEBOOK_PORT: 'tcp://10.0.0.1:80',
        PRICEBOOK_SERVICE_HOST: '10.0.0.1',
        GROCERY_PORT_80_TCP: 'x',
        HOSTNAME: 'box',
      }),
    ).toEqual([]);
  });
});

test('.env.example contains every variable, none of them set (-u rewrites the file)', async () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  await expect(envExample(variables)).toMatchFileSnapshot('../../.env.example');
  expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  file('.env', example);
  expect(load().settings.every(({ origin }) => origin === 'default')).toBe(true);
});

test('documented defaults match the actual ones', () => {
  const config = load();
  const shown = Object.fromEntries(variables.map(({ name, default: fallback }) => [name, fallback]));
  expect(shown).toMatchObject({
    PORT: String(config.port),
    HOST: config.host,
    LOG_LEVEL: config.logLevel,
    ARCHIVE: config.archive,
    ARCHIVE_DAYS: String(config.archiveDays),
    REQUEST_CONCURRENCY: String(config.requestConcurrency),
    REQUEST_TIMEOUT: String(config.requestTimeoutMs / 1_000),
    GATEWAY_HEADER_PREFIX: config.headerPrefix,
  });
});

describe('a subscription', () => {
  const property = { PROPERTY_1_BASE_URL: 'https://property.example', GATEWAY_KEY: 'abc' };

  test('plan, start date, price and bonus of a subscription are read', () => {
    const { listings: configured } = load({
      ...property,
      PROPERTY_1_PLAN: 'ultra',
      PROPERTY_1_SUBSCRIBED_ON: '2026-07-31',
      PROPERTY_1_BONUS_REQUESTS: '2500',
      GROCERY_PLAN: 'Pro',
      GROCERY_PRICE: '25 + 0.002 EUR',
      STORES_PRICE: '3.50 USD',
    });
    expect(configured.property_1.subscription).toMatchObject({
      plan: { name: 'Ultra', isFree: false, pricePerMonth: { micros: 49_990_000, currency: 'USD' } },
      startedOn: '2026-07-31',
      bonusRequests: 2_500,
      pricePerExtraRequest: null,
    });
    expect(configured.grocery.subscription).toMatchObject({
      plan: { name: 'Pro', pricePerMonth: { micros: 25_000_000, currency: 'EUR' } },
      startedOn: null,
      pricePerExtraRequest: { micros: 2_000, currency: 'EUR' },
    });
    expect(configured.stores.subscription.plan).toMatchObject({ name: 'Own', isFree: false });
    expect(configured.property_2.subscription).toMatchObject({ plan: null, startedOn: null, bonusRequests: 0 });
  });

  test('an invalid subscription is refused with a message', () => {
    expect(
      mistakesOf({
        GROCERY_PLAN: 'gold',
        GROCERY_PRICE: '$9.99',
        PROPERTY_1_SUBSCRIBED_ON: '2026-02-30',
        PROPERTY_2_BONUS_REQUESTS: 'many',
      }),
    ).toEqual([
      'GROCERY_PLAN must be one of basic, pro, ultra, mega',
      'GROCERY_PRICE must be a monthly price such as 9.99 USD, optionally with a price per additional request: ' +
        '9.99 + 0.0005 USD',
      'PROPERTY_1_SUBSCRIBED_ON must be a date such as 2026-03-23',
      'PROPERTY_2_BONUS_REQUESTS must be a whole number of requests per month',
    ]);
  });

  test('a subscription has the same plans, prices and limits on the replacing host', () => {
    const told = {
      ...property,
      PROPERTY_1_PLAN: 'pro',
      PROPERTY_1_SUBSCRIBED_ON: '2026-05-01',
      PROPERTY_1_BONUS_REQUESTS: '9',
    };
    const [old, fresh] = ['old.example', 'new.example'].map((host) => {
      const {
        host: at,
        baseUrl: _,
        ...terms
      } = load({ ...told, PROPERTY_1_BASE_URL: `https://${host}` }).listings.property_1;
      expect(at).toBe(host);
      return JSON.stringify(terms);
    });
    expect(fresh).toBe(old);
  });
});

describe('limits', () => {
  test('limits of longer windows, weights and the reserve are read', () => {
    const config = load({
      GROCERY_LIMITS: '100/minute; 1000/hour;5000/day',
      GROCERY_WEIGHTS: 'uk-product-details=2; store-list=5',
      GROCERY_RESERVE: '50',
    });
    expect(config.listings.grocery).toMatchObject({
      windows: [
        { windowMs: 60_000, units: 100 },
        { windowMs: 3_600_000, units: 1_000 },
        { windowMs: 86_400_000, units: 5_000 },
      ],
      weights: { 'uk-product-details': 2, 'store-list': 5 },
      reserve: 50,
    });
    expect(load()).toMatchObject({ listings: { grocery: { windows: [], weights: {}, reserve: null } } });
  });

  test('invalid limits are refused with a message', () => {
    expect(mistakesOf({ GROCERY_LIMITS: '100 a minute' })[0]).toMatch(/^GROCERY_LIMITS must be limits such as/);
    expect(mistakesOf({ GROCERY_LIMITS: '1/day; 2/day' })).toEqual(['GROCERY_LIMITS names a window twice']);
    expect(mistakesOf({ GROCERY_WEIGHTS: 'store-list=0' })[0]).toMatch(/^GROCERY_WEIGHTS must be weights/);
  });
});

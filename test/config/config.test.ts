import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, Secret, variables } from '../../src/app/config.ts';
import { ConfigInvalid } from '../../src/base/errors.ts';
import { listings } from '../../src/source/listings/index.ts';
import cases from './config.json' with { type: 'json' };
import { envExample } from './env-example.ts';

// A row of config.json: variables, and the configuration or the text of the mistake that they give.
// A mistyped limit is refused because its user relies on it.

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

test('without configuration the simulator is used without limits, with all data below the folder', () => {
  const config = load();
  expect(config).toMatchObject({
    ...{ upstream: 'simulator', databaseUrl: null, redisUrl: null },
    ...{ home: join(cwd, '.pricebook'), archive: 'file', exportTo: null, host: '127.0.0.1' },
  });
  for (const listing of Object.values(config.listings))
    expect(listing).toMatchObject({ baseUrl: null, requestsPerSecond: 0, headerPrefix: 'X-Gateway', windows: [] });
});

test.each(cases.regions as [Record<string, string>, object][])(
  '%j configures which regions are crawled, and when',
  (env, expected) => {
    expect(load(env)).toMatchObject(expected);
  },
);

describe('with a key', () => {
  test("with a key, the listing's own host is used at a moderate rate", () => {
    const config = load({ GATEWAY_KEY: 'abc', GATEWAY_HEADER_PREFIX: 'X-RapidAPI' });
    expect(config).toMatchObject({ upstream: 'gateway' });
    expect(config.listings.grocery).toMatchObject({
      ...{ baseUrl: listings.grocery.baseUrl, host: listings.grocery.hosts[0]?.host, requestsPerSecond: 3 },
      ...{ monthlyQuota: null, keyVariable: 'GATEWAY_KEY', headerPrefix: 'X-RapidAPI', local: false },
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
      GROCERY_LIMITS: '100/minute; 1000/hour;5000/day',
      STORES_HOST: 'stores.example',
      STORES_KEY: 'other',
      STORES_REQUESTS_PER_SECOND: '0.5',
    });
    expect(configured.grocery).toMatchObject({
      ...{ baseUrl: 'https://shop.example/v1', host: 'shop-data.example', requestsPerSecond: 0, monthlyQuota: 10_000 },
      windows: [
        { windowMs: 60_000, units: 100 },
        { windowMs: 3_600_000, units: 1_000 },
        { windowMs: 86_400_000, units: 5_000 },
      ],
    });
    expect(configured.stores).toMatchObject({
      ...{ baseUrl: 'https://stores.example', host: 'stores.example', requestsPerSecond: 0.5 },
      keyVariable: 'STORES_KEY',
    });
    expect(configured.stores.key.reveal()).toBe('other');
  });

  test('plan, start date and price of a subscription are read', () => {
    const { listings: configured } = load({
      ...{ PROPERTY_1_BASE_URL: 'https://property.example', PROPERTY_1_PLAN: 'ultra', GATEWAY_KEY: 'abc' },
      ...{ GROCERY_PLAN: 'Pro', GROCERY_PRICE: '25 + 0.002 EUR', GROCERY_SUBSCRIBED_ON: '2026-07-31' },
    });
    expect(configured.property_1.subscription).toMatchObject({
      plan: { name: 'Ultra', pricePerMonth: { micros: 49_990_000, currency: 'USD' } },
      ...{ startedOn: null, pricePerExtraRequest: null },
    });
    expect(configured.grocery.subscription).toMatchObject({
      plan: { name: 'Pro', pricePerMonth: { micros: 25_000_000, currency: 'EUR' } },
      ...{ startedOn: '2026-07-31', pricePerExtraRequest: { micros: 2_000, currency: 'EUR' } },
    });
    expect(load({ GROCERY_PRICE: '3.50 USD' }).listings.grocery.subscription.plan).toMatchObject({ name: 'Own' });
    expect(configured.property_2.subscription).toMatchObject({ plan: null, startedOn: null });
  });

  test("published hosts use their marketplace's headers unless a variable overrides them", () => {
    const prefixOf = (env: Record<string, string>) => load({ GATEWAY_KEY: 'abc', ...env }).listings.stores.headerPrefix;
    expect(prefixOf({})).toBe('X-RapidAPI');
    expect(prefixOf({ GROCERY_HOST: 'tesco-data-api.p.rapidapi.com' })).toBe('X-RapidAPI');
    expect(prefixOf({ GROCERY_HOST: 'shop.example' })).toBe('X-Gateway');
    expect(prefixOf({ GATEWAY_HEADER_PREFIX: 'X-Other' })).toBe('X-Other');
    // An account belongs to one marketplace, so the known host of one listing decides for all.
    expect(prefixOf({ STORES_HOST: 'stores.example' })).toBe('X-RapidAPI');
  });

  test.each(['localhost', '127.0.0.1', '[::1]', 'simulator', '10.0.0.7'])(
    'the simulator at %s needs no key, host or rate',
    (host) => {
      const { grocery } = load({ GROCERY_BASE_URL: `http://${host}:4000` }).listings;
      expect(grocery).toMatchObject({ host: 'grocery.simulator', requestsPerSecond: 0, local: true });
      expect(grocery.key.reveal()).toBe('simulator');
    },
  );
});

test('archive and exports are a folder or a bucket, to which the variables of the AWS SDK give access', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush', AWS_SESSION_TOKEN: 'hush-hour' };
  const config = load({
    EXPORT_TO: 's3://prices/lake',
    ARCHIVE: 's3://prices/nights',
    AWS_REGION: 'eu-west-2',
    ...keys,
  });
  expect(config).toMatchObject({ exportTo: 's3://prices/lake', archive: 's3://prices/nights' });
  expect(config.bucketAccess).toMatchObject({ region: 'eu-west-2', endpoint: null });
  expect(config.bucketAccess.secretAccessKey?.reveal()).toBe('hush');
  expect(JSON.stringify(config)).not.toContain('hush');
  expect(load({ EXPORT_TO: 'lake', ARCHIVE: 'off' })).toMatchObject({ exportTo: join(cwd, 'lake'), archive: 'off' });
  // A role of the machine gives the key.
  expect(load({ EXPORT_TO: 's3://prices' }).bucketAccess.accessKeyId).toBeNull();
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
    const config = load({ PORT: '', GATEWAY_KEY: '', REDIS_URL: ' ' });
    expect(config).toMatchObject({ port: 1234, upstream: 'simulator', redisUrl: null });
  });
});

test.each([['"abc"'], ["'abc'"]])('a value in quotes, %s, is a mistake that names them', (value) => {
  for (const name of ['GATEWAY_KEY', 'GROCERY_KEY', 'GROCERY_BASE_URL'])
    expect(mistakesOf({ [name]: value })).toContainEqual(expect.stringMatching(new RegExp(`^${name} is in quotes`)));
});

test.each(['two words', 'two\nlines', 'two\r\nlines', 'a\ttab'])(
  'a key with blanks or line ends is named: %j',
  (key) => {
    expect(mistakesOf({ GATEWAY_KEY: key })).toEqual([
      'GATEWAY_KEY contains blanks or line ends; copy it again, as one line',
    ]);
  },
);

describe('a secret', () => {
  test('a secret may be in a file, which is read again when it changes', () => {
    const path = file('key', 'first\n');
    const { key } = load({ GROCERY_KEY_FILE: path }).listings.grocery;
    expect(key.reveal()).toBe('first');
    file('key', 'second\n');
    utimesSync(path, new Date(), new Date('2999-01-01'));
    expect(key.reveal()).toBe('second');
    for (const bad of ['', '\n', 'two\nlines', 'tab\tbed', 'schlüssel']) {
      file('key', bad);
      expect(key.reveal(), JSON.stringify(bad)).toBe('second');
    }
    rmSync(path);
    expect(key.reveal()).toBe('second');
  });

  test('a secret is never printed', () => {
    const secret = new Secret('hush-hush');
    const printed = [
      ...[`${secret}`, JSON.stringify({ secret }), inspect({ secret }, { depth: 9, showHidden: true })],
      String(Object.values(secret)),
    ];
    expect(printed.join()).not.toContain('hush-hush');
    expect(secret.reveal()).toBe('hush-hush');
  });
});

describe('mistakes', () => {
  test.each(cases.mistakes as [Record<string, string>, string][])('%j is refused', (env, mistake) => {
    const mistakes = mistakesOf(env);
    expect(mistakes).toEqual([expect.stringContaining(mistake)]);
    expect(mistakes[0]).not.toContain('hush');
  });

  test('an empty file of a secret is refused, and a mistyped variable of a listing in .env', () => {
    expect(mistakesOf({ GATEWAY_KEY_FILE: file('empty', '\n') })).toHaveLength(1);
    file('.env', 'GROCERY_QUOTA=3\n');
    expect(mistakesOf({})).toEqual(['GROCERY_QUOTA is not known; `pricebook config` lists all']);
  });

  test('variables of other programs are ignored', () => {
    const others = { GATEWAY_URL: 'x', PRICEBOOK_PORT: 'tcp://10.0.0.1:80', HOSTNAME: 'box' };
    expect(mistakesOf({ ...others, PRICEBOOK_SERVICE_HOST: '10.0.0.1', GROCERY_PORT_80_TCP: 'x' })).toEqual([]);
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
    GATEWAY_HEADER_PREFIX: config.listings.grocery.headerPrefix,
  });
});

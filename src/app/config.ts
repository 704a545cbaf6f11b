import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigInvalid } from '../base/errors.ts';
import type { ListingName, SimulatedWorld, World } from '../base/model/index.ts';
import { listings } from '../source/listings/index.ts';
import { readAlerts } from './config/alert-settings.ts';
import {
  type ConfiguredListing,
  defaultHeaderPrefix,
  HeaderValue,
  readListing,
  revealedPrefix,
} from './config/configured-listing.ts';
import { createEnvironment } from './config/environment.ts';
import { ExtraFields } from './config/extra-fields.ts';
import { SearchKeywords } from './config/search-keywords.ts';
import { Secret } from './config/secret.ts';
import { readStorage } from './config/storage-settings.ts';
import { defaultStoreAreas, StoreAreasText } from './config/store-areas.ts';
import { rangeOf } from './config/trusted-proxies.ts';
import { variables } from './config/variables.ts';

export type { ConfiguredListing } from './config/configured-listing.ts';
export type { Setting } from './config/environment.ts';
export { Secret } from './config/secret.ts';
export { type Variable, variables } from './config/variables.ts';

/** Parsed environment. Secrets print as `[secret]`. */
export type Config = Readonly<ReturnType<typeof loadConfig>>;

/**
 * Reads the environment and `.env` in `cwd` (the environment wins). Throws `ConfigInvalid` with all mistakes, without
 * secret values.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { cwd = process.cwd() }: { cwd?: string } = {},
) {
  const environment = createEnvironment({ env, cwd, variables });
  const { read, readSecret, mistakes } = environment;

  const databaseUrl = readSecret('DATABASE_URL', PostgresUrl);
  const redisUrl = readSecret('REDIS_URL', RedisUrl);
  const gatewayKey = readSecret('GATEWAY_KEY', HeaderValue);
  const written = read('GATEWAY_HEADER_PREFIX', HeaderPrefix, null);
  const asWritten = Object.values(listings).map((listing) => readListing(listing, { gatewayKey }, environment));
  const headerPrefix = written ?? revealedPrefix(asWritten) ?? defaultHeaderPrefix;
  const configured = Object.fromEntries(
    asWritten.map((listing) => [listing.name, { ...listing, headerPrefix }]),
  ) as Readonly<Record<ListingName, ConfiguredListing>>;
  const isConfigured = Object.values(configured).some((listing) => listing.baseUrl !== null);

  const config = {
    // `atSimulator` sets the URL of the started simulator.
    upstream: isConfigured ? ('gateway' as const) : ('simulator' as const),
    listings: configured,
    headerPrefix,
    databaseUrl,
    redisUrl,
    home: resolve(cwd, read('PRICEBOOK_HOME', z.string(), '.pricebook')),
    requestConcurrency: read('REQUEST_CONCURRENCY', wholeNumber(1, 256), 16),
    requestTimeoutMs: read('REQUEST_TIMEOUT', wholeNumber(1, 600), 60) * 1_000,
    // 0: without limit.
    archiveDays: read('ARCHIVE_DAYS', wholeNumber(0, 36_500), 90),
    detailsMaxAgeDays: read('DETAILS_MAX_AGE', wholeNumber(1, 3_650), 90),
    // Fractions: tolerated shortfall from declared totals, and tolerated loss of listed products.
    certify: {
      tolerance: read('CERTIFY_TOLERANCE', percent, 0.001),
      maxDrop: read('CERTIFY_MAX_DROP', percent, 0.05),
    },
    delistAfter: read('DELIST_AFTER', wholeNumber(1, 365), 2),
    storeAreas: read('STORE_AREAS', StoreAreasText, defaultStoreAreas),
    searchKeywords: read('SEARCH_KEYWORDS', SearchKeywords, []),
    extraFields: read('EXTRA_FIELDS', ExtraFields, []),
    ...readStorage(environment, cwd),
    exportKeepDays: read('EXPORT_KEEP_DAYS', wholeNumber(0, 3_650), 7),
    alerts: readAlerts(environment),
    host: read('HOST', z.string().regex(/^[\w.:-]+$/, 'must be a host name or an IP address'), '127.0.0.1'),
    port: read('PORT', wholeNumber(0, 65_535), 4280),
    // The explorer then listens on that port only.
    isPortChosen: environment.text('PORT') !== null,
    // For `work` and `schedule`; null: they do not listen.
    metricsPort: read('METRICS_PORT', wholeNumber(0, 65_535), null),
    dashboard: {
      password: readSecret('DASHBOARD_PASSWORD', z.string().min(8, 'must have at least 8 characters')),
      userHeader: read('DASHBOARD_USER_HEADER', HeaderName, null),
      trustedProxies: read('DASHBOARD_TRUSTED_PROXIES', Proxies, []),
      tokens: readSecret('DASHBOARD_TOKENS', Tokens),
      origins: read('DASHBOARD_ORIGINS', Origins, []),
    },
    logLevel: read('LOG_LEVEL', LogLevel, 'info'),
    // With redacted values, for `pricebook config`.
    settings: environment.settings(),
  };
  if (mistakes.length > 0) throw new ConfigInvalid(mistakes);
  return config;
}

const HeaderName = z.string().regex(/^[A-Za-z][\w-]*$/, 'must be the name of a header, such as X-Forwarded-User');

const Proxies = z
  .string()
  .transform((text) => text.trim().split(/[\s,]+/))
  .refine((proxies) => proxies.every(rangeOf), 'must be addresses, or ranges such as 10.0.0.0/8, separated by spaces');

const Origins = z
  .string()
  .transform((text) => text.trim().split(/[\s,]+/))
  .refine(
    (origins) =>
      origins.every(
        (origin) => /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin,
      ),
    'must be origins such as https://notebook.example, separated by spaces',
  );

const Tokens = z
  .string()
  .regex(/^\s*\S{20,}(\s+\S{20,})*\s*$/, 'must be tokens of at least 20 characters, separated by spaces');

/** Points all unconfigured listings to the simulator at `url`. */
export function atSimulator(config: Config, url: string): Config {
  const played = Object.values(config.listings).map((listing): ConfiguredListing => {
    if (listing.baseUrl !== null) return listing;
    const host = listings[listing.name].simulatorHost;
    return { ...listing, baseUrl: url.replace(/\/+$/, ''), host, key: new Secret('simulator'), local: true };
  });
  return {
    ...config,
    listings: Object.fromEntries(played.map((listing) => [listing.name, listing])) as Config['listings'],
  };
}

/** World of this installation; `simulator`: settings of the simulator. */
export function worldOf({ upstream, listings: { grocery } }: Config, simulator: Omit<SimulatedWorld, 'kind'>): World {
  if (upstream === 'simulator') return { kind: 'simulated', ...simulator };
  return { kind: 'live', listing: grocery.name, baseUrl: grocery.baseUrl, host: grocery.host };
}

const HeaderPrefix = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$/, 'must be the beginning of a header name, such as X-RapidAPI');

const PostgresUrl = databaseUrl(
  ['postgres:', 'postgresql:'],
  'must be a URL such as postgres://user:password@host:5432/name',
).refine(hasItsCertificates, 'names in sslrootcert, sslcert or sslkey a file that does not exist');
const RedisUrl = databaseUrl(['redis:', 'rediss:'], 'must be a URL such as redis://host:6379');

const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
  error: 'must be trace, debug, info, warn, error, fatal or silent',
});

function databaseUrl(protocols: readonly string[], message: string) {
  return z.string().refine((text) => isUrl(text, protocols), message);
}

function hasItsCertificates(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { searchParams } = new URL(text);
  return ['sslrootcert', 'sslcert', 'sslkey'].every((name) => existsSync(searchParams.get(name) ?? '.'));
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a percentage such as 0.1')
  .transform((text) => Number(text) / 100)
  .refine((share) => share <= 1, 'must be at most 100');

function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

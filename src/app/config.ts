import { resolve } from 'node:path';
import type { BucketAccess } from '../base/bucket.ts';
import { ConfigInvalid } from '../base/errors.ts';
import type { ListingName, SimulatedWorld, World } from '../base/model/index.ts';
import { listings } from '../source/listings/index.ts';
import { checkHome } from './config/check-home.ts';
import { readAll } from './config/define-variable.ts';
import { createEnvironment, type Environment } from './config/environment.ts';
import {
  type ConfiguredListing,
  defaultHeaderPrefix,
  readListing,
  revealedPrefix,
} from './config/listing-variables.ts';
import { Secret } from './config/secret.ts';
import { countries, isUrl, ServerAddress } from './config/variable-types.ts';
import { alerting, crawling, gateway, guarding, logging, servers, serving, variables } from './config/variables.ts';

export type { Variable } from './config/environment.ts';
export type { ConfiguredListing } from './config/listing-variables.ts';
export { Secret } from './config/secret.ts';
export { variables } from './config/variables.ts';

/** Parsed environment. Secrets print as `[secret]`. */
export type Config = Readonly<ReturnType<typeof loadConfig>>;

/**
 * Reads the environment and `.env` in `cwd` (the environment wins). Throws `ConfigInvalid` with all mistakes, without
 * secret values, and `HomeUnusable`.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { cwd = process.cwd() }: { cwd?: string } = {},
) {
  const environment = createEnvironment({ env, cwd, variables });
  const { pricebookHome, ...places } = readAll(servers, environment);
  const { gatewayKey, gatewayHeaderPrefix } = readAll(gateway, environment);
  const asWritten = Object.values(listings).map((listing) => readListing(listing, gatewayKey, environment));
  const isLive = asWritten.some(({ baseUrl }) => baseUrl !== null);
  const headerPrefix = gatewayHeaderPrefix ?? revealedPrefix(asWritten) ?? defaultHeaderPrefix;
  const { certifyTolerance, requestTimeout, exportTo, ...crawl } = readAll(crawling, environment);
  const { trustedProxies, ...guards } = readAll(guarding, environment, 'DASHBOARD_');

  const config = {
    // `atSimulator` sets the URL of the started simulator.
    upstream: isLive ? ('gateway' as const) : ('simulator' as const),
    listings: byName(asWritten.map((listing) => ({ ...listing, headerPrefix }))),
    ...places,
    home: resolve(cwd, pricebookHome),
    ...crawl,
    requestTimeoutMs: requestTimeout * 1_000,
    // Fractions: tolerated shortfall from declared totals, and loss of listed products in a night.
    certify: { tolerance: certifyTolerance, maxDrop: 0.05 },
    storeAreas: crawl.storeAreas ?? countries,
    searchKeywords: crawl.searchKeywords ?? [],
    extraFields: crawl.extraFields ?? [],
    exportTo: exportTo === null || isUrl(exportTo) ? exportTo : resolve(cwd, exportTo),
    bucketAccess: bucketAccess(environment),
    // A proxy would see what is requested.
    unusedProxies: ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].filter(
      (name) => isLive && (environment.text(name) ?? environment.text(name.toLowerCase())),
    ),
    alerts: readAlerts(environment),
    ...readAll(serving, environment),
    // The explorer then listens on that port only.
    isPortChosen: environment.text('PORT') !== null,
    dashboard: { ...guards, trustedProxies: trustedProxies ?? [] },
    ...readAll(logging, environment),
    // With redacted values, for `pricebook config`.
    settings: environment.settings(),
  };
  if (environment.mistakes.length > 0) throw new ConfigInvalid(environment.mistakes);
  checkHome(config.home);
  return config;
}

const byName = (configured: readonly ConfiguredListing[]) =>
  Object.fromEntries(configured.map((listing) => [listing.name, listing])) as Readonly<
    Record<ListingName, ConfiguredListing>
  >;

/** Destination of alerts; null: none is configured. */
function readAlerts(environment: Environment) {
  const { url, secret } = readAll(alerting, environment, 'ALERT_');
  if (url === null && secret !== null) environment.mistakes.push('ALERT_SECRET signs alerts, but ALERT_URL is not set');
  return url && { url, secret };
}

/** Variables of the AWS SDK, which itself reads them from the environment only, not from `.env`. */
function bucketAccess(environment: Environment): BucketAccess {
  const { text } = environment;
  const secret = (name: string) => {
    const value = text(name);
    return value === null ? null : new Secret(value);
  };
  const url = environment.read('AWS_ENDPOINT_URL', ServerAddress);
  return {
    endpoint: url === null ? null : { url },
    region: text('AWS_REGION') ?? 'us-east-1',
    accessKeyId: secret('AWS_ACCESS_KEY_ID'),
    secretAccessKey: secret('AWS_SECRET_ACCESS_KEY'),
    sessionToken: secret('AWS_SESSION_TOKEN'),
  };
}

/** Points all unconfigured listings to the simulator at `url`. */
export function atSimulator(config: Config, url: string): Config {
  const played = Object.values(config.listings).map((listing): ConfiguredListing => {
    if (listing.baseUrl !== null) return listing;
    const host = listings[listing.name].simulatorHost;
    return { ...listing, baseUrl: url.replace(/\/+$/, ''), host, key: new Secret('simulator'), local: true };
  });
  return { ...config, listings: byName(played) };
}

/** World of this installation; `simulator`: settings of the simulator. */
export function worldOf({ upstream, listings: { grocery } }: Config, simulator: Omit<SimulatedWorld, 'kind'>): World {
  if (upstream === 'simulator') return { kind: 'simulated', ...simulator };
  return { kind: 'live', listing: grocery.name, baseUrl: grocery.baseUrl, host: grocery.host };
}

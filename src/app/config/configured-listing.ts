import { z } from 'zod';
import { type Listing, marketplacePrefix, listings as registry } from '../../source/listings/index.ts';
import { type BaseUrl, BaseUrlText, parseBaseUrl } from './base-url.ts';
import { LimitWindows, Weights } from './configured-limits.ts';
import { readSubscription } from './configured-subscription.ts';
import type { Environment } from './environment.ts';
import { Secret } from './secret.ts';
import type { ListingSetting } from './variables.ts';

/** A listing with its configuration. */
export type ConfiguredListing = Readonly<ReturnType<typeof readListing>>;

/** Parses the variables of a listing; problems are added to the environment's mistakes. */
export function readListing(
  listing: Listing,
  { gatewayKey }: { readonly gatewayKey: Secret | null },
  environment: Environment,
) {
  const name = (setting: ListingSetting) => `${listing.environmentPrefix}_${setting}`;
  const ownKey = environment.readSecret(name('KEY'), HeaderValue);
  const writtenHost = environment.read(name('HOST'), HostName, null);
  const key = ownKey ?? gatewayKey;
  const base =
    environment.read(name('BASE_URL'), BaseUrlText, null) ??
    (environment.text(name('BASE_URL')) === null ? defaultBase(listing, writtenHost, key) : null);

  // A local upstream is the simulator by default: it accepts any key, host and rate.
  const isSimulator = base?.local ?? false;
  const keyIsConfigured = [name('KEY'), `${name('KEY')}_FILE`, 'GATEWAY_KEY', 'GATEWAY_KEY_FILE'].some(
    (variable) => environment.text(variable) !== null,
  );
  if (base !== null && !isSimulator && !keyIsConfigured) {
    environment.mistakes.push(
      `${name('KEY')} or GATEWAY_KEY must be set: the ${listing.name} listing has a base URL but no key`,
    );
  }

  const host = writtenHost ?? (base === null || isSimulator ? listing.simulatorHost : base.hostname);
  return {
    name: listing.name,
    /** Without a trailing slash; null: not configured. */
    baseUrl: base?.url ?? null,
    /** Host header that identifies the listing at the gateway. */
    host,
    key: key ?? new Secret('simulator'),
    hasKey: key !== null,
    headerPrefix: defaultHeaderPrefix,
    /** Variable to correct if the key is refused. */
    keyVariable: ownKey ? name('KEY') : 'GATEWAY_KEY',
    /** Over all processes; 0: unlimited. */
    requestsPerSecond: environment.read(
      name('REQUESTS_PER_SECOND'),
      Rate,
      base === null || isSimulator ? 0 : listing.requestsPerSecond,
    ),
    /** 0: unlimited; null: limited by the gateway's headers only. */
    monthlyQuota: environment.read(name('MONTHLY_QUOTA'), Quota, null),
    /** Limits per minute, hour or day. */
    windows: environment.read(name('LIMITS'), LimitWindows, []),
    /** Units per request by endpoint; 1 by default. */
    weights: environment.read(name('WEIGHTS'), Weights, {}),
    /** Requests of the month reserved for probes and open runs; null: 1%, at most 500. */
    reserve: environment.read(name('RESERVE'), Quota, null),
    bonusOffer: listing.bonusOffer,
    subscription: readSubscription(listing, environment),
    /** Whether the base URL is on this machine or in a private network; otherwise private addresses are refused. */
    local: isSimulator,
  };
}

/**
 * Header prefix of the marketplace if the host of a configured listing is known. An account belongs to one marketplace,
 * so it holds for all listings. Null: no host is known.
 */
export function revealedPrefix(configured: readonly ConfiguredListing[]): string | null {
  const known = configured
    .filter(({ baseUrl }) => baseUrl !== null)
    .map(({ name, host }) => ({ host, ...registry[name] }));
  return known.some(({ host, hosts }) => hosts.some((each) => each.host === host)) ? marketplacePrefix : null;
}

/** Neutral prefix used by the specification. */
export const defaultHeaderPrefix = 'X-Gateway';

/** Default base URL: the configured host or, if only a key is set, the listing's own host. */
function defaultBase(listing: Listing, host: string | null, key: Secret | null): BaseUrl | null {
  if (host !== null) return parseBaseUrl(`https://${host}`);
  return key !== null && listing.baseUrl !== null ? parseBaseUrl(listing.baseUrl) : null;
}

const HostName = z
  .string()
  .regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'must be a host name, without https:// and without a path');

/** A key: printable ASCII without white space, as allowed in headers. */
export const HeaderValue = z.string().regex(/^[\x21-\x7e]+$/, 'contains characters that cannot be sent in a header');

const Rate = z
  .string()
  .regex(/^\d{1,5}(\.\d{1,4})?$/, 'must be a number of requests per second, such as 3 or 0.5; 0 is unlimited')
  .transform(Number);

const Quota = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number of requests per month; 0 is unlimited')
  .transform(Number);

import { z } from 'zod';
import type { ListingName } from '../../base/model/index.ts';
import type { LimitWindow } from '../../gateway/limits/terms.ts';
import type { BonusOffer, Listing, Subscription } from '../../source/listings/index.ts';
import { type BaseUrl, parseBaseUrl } from './base-url.ts';
import { LimitWindows, Weights } from './configured-limits.ts';
import { readSubscription } from './configured-subscription.ts';
import type { Environment } from './environment.ts';
import { Secret } from './secret.ts';
import type { ListingSetting } from './variables.ts';

/** A listing as this installation asks it. */
export interface ConfiguredListing {
  readonly name: ListingName;
  /** Without a slash at the end; null: nothing is configured, so it cannot be asked. */
  readonly baseUrl: string | null;
  /** What the gateway knows the listing by; goes into the host header. */
  readonly host: string;
  readonly key: Secret;
  /** A key is set for it; the simulator takes any. */
  readonly hasKey: boolean;
  /** How the gateway that is asked begins its header names. */
  readonly headerPrefix: string;
  /** The variable a person fixes when the key is refused. */
  readonly keyVariable: string;
  /** Over all processes; 0: unlimited. */
  readonly requestsPerSecond: number;
  /** 0: unlimited; null: as long as the gateway's headers say that something is left. */
  readonly monthlyQuota: number | null;
  /** Limits over a minute, an hour, a day. */
  readonly windows: readonly LimitWindow[];
  /** What a request counts against the limits, by endpoint; 1 where it is not named. */
  readonly weights: Readonly<Record<string, number>>;
  /**
   * Requests of the month kept back for health probes and for finishing what is open; null: a hundredth, 500 at most.
   */
  readonly reserve: number | null;
  readonly bonusOffer: BonusOffer | null;
  /** What is paid for it, and since when; of what nobody told nothing is known. */
  readonly subscription: Subscription;
  /** The base URL names this machine or a private network; otherwise private addresses are refused. */
  readonly local: boolean;
}

/** Reads one listing's variables; what is wrong goes to the environment's mistakes. */
export function readListing(
  listing: Listing,
  { gatewayKey, headerPrefix }: { readonly gatewayKey: Secret | null; readonly headerPrefix: string | null },
  environment: Environment,
): ConfiguredListing {
  const name = (setting: ListingSetting) => `${listing.environmentPrefix}_${setting}`;
  const ownKey = environment.readSecret(name('KEY'), HeaderValue);
  const writtenHost = environment.read(name('HOST'), HostName, null);
  const key = ownKey ?? gatewayKey;
  const base =
    environment.read(name('BASE_URL'), BaseUrlText, null) ??
    (environment.text(name('BASE_URL')) === null ? defaultBase(listing, writtenHost, key) : null);

  // What runs on this machine or beside it is the simulator, unless the variables say otherwise: it takes any key, host
  // and pace.
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
  const isPublished = listing.hosts.some((known) => known.host === host);
  return {
    name: listing.name,
    baseUrl: base?.url ?? null,
    host,
    key: key ?? new Secret('simulator'),
    hasKey: key !== null,
    headerPrefix: headerPrefix ?? (isPublished ? listing.headerPrefix.value : defaultHeaderPrefix),
    keyVariable: ownKey ? name('KEY') : 'GATEWAY_KEY',
    requestsPerSecond: environment.read(
      name('REQUESTS_PER_SECOND'),
      Rate,
      base === null || isSimulator ? 0 : listing.requestsPerSecond.value,
    ),
    monthlyQuota: environment.read(name('MONTHLY_QUOTA'), Quota, listing.monthlyQuota.value),
    windows: environment.read(name('LIMITS'), LimitWindows, []),
    weights: environment.read(name('WEIGHTS'), Weights, {}),
    reserve: environment.read(name('RESERVE'), Quota, null),
    bonusOffer: listing.bonusOffer,
    subscription: readSubscription(listing, environment),
    local: isSimulator,
  };
}

/** The specification's neutral word. */
export const defaultHeaderPrefix = 'X-Gateway';

/** A host alone says where to ask; a key alone asks the listing's own host. */
function defaultBase(listing: Listing, host: string | null, key: Secret | null): BaseUrl | null {
  if (host !== null) return parseBaseUrl(`https://${host}`);
  return key !== null && listing.baseUrl !== null ? parseBaseUrl(listing.baseUrl) : null;
}

const BaseUrlText = z.string().transform((text, context) => {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    context.issues.push({ code: 'custom', message: (error as Error).message, input: text });
    return z.NEVER;
  }
});

const HostName = z
  .string()
  .regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'must be a host name, without https:// and without a path');

/** A key: what a header can carry, without white space. */
export const HeaderValue = z.string().regex(/^[\x21-\x7e]+$/, 'holds characters that cannot be sent in a header');

const Rate = z
  .string()
  .regex(/^\d{1,5}(\.\d{1,4})?$/, 'must be a number of requests a second, such as 3 or 0.5; 0 is unlimited')
  .transform(Number);

const Quota = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number of requests a month; 0 is unlimited')
  .transform(Number);

import { z } from 'zod';
import type { LimitWindow } from '../../gateway/limits/limits.ts';
import { amountOf, type Listing, marketplacePrefix, listings as registry } from '../../source/listings/index.ts';
import { isHost, parseBaseUrl } from './base-url.ts';
import { named, plain, readAll, secret } from './define-variable.ts';
import type { Environment, Variable } from './environment.ts';
import { Secret } from './secret.ts';
import { BaseUrlText, HeaderValue } from './variable-types.ts';

function tablesOf({ title, about, hosts, plans, ...listing }: Listing) {
  const host = hosts[0]?.host;
  const planNames = plans.map(({ name }) => name.toLowerCase());
  const PlanName = z
    .string()
    .refine((text) => planNames.includes(text.toLowerCase()), `must be one of ${planNames.join(', ')}`)
    .transform((text) => plans[planNames.indexOf(text.toLowerCase())]!);
  const address = {
    BASE_URL: plain(
      BaseUrlText,
      `${title} (${about}): base URL; https, or http on this machine or a private network`,
      listing.baseUrl ?? 'not used',
    ),
    HOST: plain(
      HostName,
      `${title}: host name that the gateway knows, sent with every request; copy it from the listing's page`,
      host ? `${host}, or the host of the base URL` : 'the host of the base URL',
    ),
    KEY: secret(HeaderValue, `${title}: subscriber key for this listing only`, 'GATEWAY_KEY'),
    PLAN: plain(PlanName, `${title}: plan subscribed to: ${planNames.join(', ')}`, 'costs are unknown'),
  };
  const limits = {
    REQUESTS_PER_SECOND: plain(
      Rate,
      `${title}: requests per second over all processes; 0: unlimited`,
      `${listing.requestsPerSecond}; 0 for the simulator`,
    ),
    MONTHLY_QUOTA: plain(Quota, `${title}: requests per month; 0: unlimited`, 'what the headers of the gateway say'),
  };
  const terms = {
    LIMITS: plain(
      LimitWindows,
      `${title}: further limits, such as 100/minute; 1000/hour; 5000/day; each holds in any window of that length`,
      'none',
    ),
    SUBSCRIBED_ON: plain(
      z.iso.date('must be a date such as 2026-03-23'),
      `${title}: day on which the subscription began, such as 2026-03-23; its months begin on that day`,
      'calendar months',
    ),
    PRICE: plain(
      Price,
      `${title}: price per month, such as 9.99 USD; with the price of each additional request: 9.99 + 0.0005 USD`,
      'unknown, unless the plan is free',
    ),
  };
  return { address, limits, terms };
}

/** Only the grocery listing has terms of its own. */
export function variablesOf(listing: Listing): Variable[] {
  const { address, limits, terms } = tablesOf(listing);
  const tables = { ...address, ...(listing.isHealthOnly ? {} : limits), ...(listing.name === 'grocery' ? terms : {}) };
  return named(tables, prefixOf(listing));
}

const prefixOf = ({ environmentPrefix }: Listing): string => `${environmentPrefix}_`;

/** A listing with its configuration. */
export type ConfiguredListing = Readonly<ReturnType<typeof readListing>>;

/** Reads the variables of a listing; problems are added to the environment's mistakes. */
export function readListing(listing: Listing, gatewayKey: Secret | null, environment: Environment) {
  const { address, limits, terms } = tablesOf(listing);
  const prefix = prefixOf(listing);
  const table = { ...address, ...limits, ...terms };
  const { host: writtenHost, key: ownKey, plan, price, ...written } = readAll(table, environment, prefix);
  const key = ownKey ?? gatewayKey;
  const isSet = (name: string) => environment.text(name) !== null;
  // By default the configured host or, if only a key is set, the listing's own host.
  const usual = writtenHost === null ? key && listing.baseUrl : `https://${writtenHost}`;
  const base = written.baseUrl ?? (isSet(`${prefix}BASE_URL`) || usual === null ? null : parseBaseUrl(usual));

  // A local upstream is the simulator by default: it accepts any key, host and rate.
  const isSimulator = base?.local ?? false;
  const keyName = `${prefix}KEY`;
  const hasKey = [keyName, 'GATEWAY_KEY'].some((name) => isSet(name) || isSet(`${name}_FILE`));
  if (base !== null && !isSimulator && !hasKey)
    environment.mistakes.push(
      `${keyName} or GATEWAY_KEY must be set: the ${listing.name} listing has a base URL but no key`,
    );

  return {
    name: listing.name,
    /** Without a trailing slash; null: not configured. */
    baseUrl: base?.url ?? null,
    /** Host header that identifies the listing at the gateway. */
    host: writtenHost ?? (base === null || isSimulator ? listing.simulatorHost : base.hostname),
    key: key ?? new Secret('simulator'),
    hasKey: key !== null,
    headerPrefix: defaultHeaderPrefix,
    /** Variable to correct if the key is refused. */
    keyVariable: ownKey ? keyName : 'GATEWAY_KEY',
    /** Over all processes; 0: unlimited. */
    requestsPerSecond: written.requestsPerSecond ?? (base === null || isSimulator ? 0 : listing.requestsPerSecond),
    /** 0: unlimited; null: limited by the gateway's headers only. */
    monthlyQuota: written.monthlyQuota,
    /** Limits per minute, hour or day. */
    windows: written.limits ?? [],
    subscription: {
      // Own: a plan that is known by its price only.
      plan: price === null ? plan : { name: plan?.name ?? 'Own', pricePerMonth: price.perMonth },
      startedOn: written.subscribedOn,
      pricePerExtraRequest: price?.perExtraRequest ?? null,
    },
    /** Whether the base URL is on this machine or in a private network; otherwise private addresses are refused. */
    local: isSimulator,
  };
}

/**
 * Header prefix of the marketplace if the host of a configured listing is known. An account belongs to one marketplace,
 * so it holds for all listings. Null: no host is known.
 */
export function revealedPrefix(configured: readonly ConfiguredListing[]): string | null {
  const isKnown = configured.some(
    ({ name, baseUrl, host }) => baseUrl !== null && registry[name].hosts.some((each) => each.host === host),
  );
  return isKnown ? marketplacePrefix : null;
}

/** Neutral prefix used by the specification. */
export const defaultHeaderPrefix = 'X-Gateway';

const HostName = z
  .string()
  .refine(
    (text) => isHost(text) && /^[A-Za-z0-9.-]+$/.test(text),
    'must be a host name, without https:// and without a path',
  );

const Rate = z
  .string()
  .regex(/^\d{1,5}(\.\d{1,4})?$/, 'must be a number of requests per second, such as 3 or 0.5; 0 is unlimited')
  .transform(Number);

const Quota = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number of requests per month; 0 is unlimited')
  .transform(Number);

/** `100/minute; 1000/hour; 5000/day`, each window at most once. */
const LimitWindows = z
  .string()
  .regex(
    /^\s*\d{1,9}\s*\/\s*(minute|hour|day)\s*(;\s*\d{1,9}\s*\/\s*(minute|hour|day)\s*)*$/,
    'must be limits such as 100/minute; 1000/hour; 5000/day',
  )
  .transform((text) => text.split(';').map((part) => part.split('/').map((word) => word.trim())))
  .refine((parts) => new Set(parts.map(([, window]) => window)).size === parts.length, 'names a window twice')
  .refine((parts) => parts.every(([units]) => Number(units) > 0), 'must not contain a limit of 0')
  .transform((parts) =>
    parts.map(([units, window]): LimitWindow => ({ windowMs: windowsMs[window!]!, units: Number(units) })),
  );

const windowsMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const Price = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,6})?( ?\+ ?\d{1,6}(\.\d{1,6})?)? [A-Z]{3}$/,
    'must be a monthly price such as 9.99 USD, optionally with a price per additional request: 9.99 + 0.0005 USD',
  )
  .transform((text) => {
    const [perMonth, perExtra] = text.match(/[\d.]+/g)!;
    const currency = text.slice(-3);
    return {
      perMonth: amountOf(perMonth!, currency),
      perExtraRequest: perExtra === undefined ? null : amountOf(perExtra, currency),
    };
  });

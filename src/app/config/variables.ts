import { type Listing, listings } from '../../source/listings/index.ts';

/** One environment variable, for people and for `.env.example`. */
export interface Variable {
  readonly name: string;
  readonly description: string;
  /** What holds when it is not set, in words or as the value itself. */
  readonly default: string;
  /** Also read from the file that `<NAME>_FILE` names; its value is never shown. */
  readonly secret: boolean;
}

/** Every variable the program reads, in the order in which people meet them. */
export const variables: readonly Variable[] = [
  secret(
    'DATABASE_URL',
    'PostgreSQL 15 to 18, e.g. postgres://user:password@localhost:5432/pricebook',
    'an embedded server below PRICEBOOK_HOME',
  ),
  secret(
    'REDIS_URL',
    'Redis for the job queue, e.g. redis://localhost:6379; of a Redis Cluster one node or several, separated by commas',
    'the queue lives in the database of DATABASE_URL',
  ),
  plain('PRICEBOOK_HOME', 'data folder', '.pricebook'),
  secret(
    'GATEWAY_KEY',
    'subscriber key of your account at the gateway, for every listing that has no key of its own; groceries need nothing else',
    'the simulator is asked instead',
  ),
  plain(
    'GATEWAY_HEADER_PREFIX',
    'how the gateway begins its header names, for all listings; hosts of the real marketplace that the program knows are asked with X-RapidAPI where this is not set',
    'X-Gateway',
  ),
  ...Object.values(listings).flatMap(listingVariables),
  plain(
    'RUN_CAPS',
    'requests a run may spend, in all and by stage, such as total=40000; listing=30000; details=5000',
    'what the limits allow',
  ),
  plain('REQUEST_CONCURRENCY', 'requests in flight per listing and process, 1 to 256', '16'),
  plain('REQUEST_TIMEOUT', 'seconds a request may take until its last byte, 1 to 600', '60'),
  plain(
    'WORKER_CONCURRENCY',
    'jobs a worker does at a time of each kind that reads pages, products or taxonomies, 1 to 64',
    '4',
  ),
  plain('ARCHIVE', '`file`: keep every payload as received; `off`: keep none', 'file'),
  plain('ARCHIVE_DAYS', 'days that payloads, and the pages and details of a run, are kept; 0: for ever', '90'),
  plain(
    'DETAILS_MAX_AGE',
    "days after which a product's details are read again even where nothing suggests a change, as far as the limits allow, 1 to 3650",
    '90',
  ),
  plain(
    'CERTIFY_TOLERANCE',
    "percent of a night's products that may be missing from what categories declare for the night to be certified all the same",
    '0.1',
  ),
  plain(
    'CERTIFY_MAX_DROP',
    'percent of the listed products that may be missing from one night (over n nights the square root of n times as many, 30 at most); of more, a sample is asked for by product details before the night is certified',
    '5',
  ),
  plain('DELIST_AFTER', 'certified nights in a row without a product after which it is delisted, 1 to 365', '2'),
  plain(
    'DELIST_CONFIRM',
    '`on`: delist only what its own page says is gone, one request a product; `off`: do not ask',
    'off',
  ),
  plain(
    'STORE_AREAS',
    'where stores are looked for: boxes of south,west,north,east in degrees, separated by `;`',
    'Great Britain, Northern Ireland and Ireland',
  ),
  plain(
    'SEARCH_KEYWORDS',
    'keywords searched every night by `start` or `schedule` (`crawl` asks none), separated by `;`, a request each',
    'none',
  ),
  plain(
    'EXPORT_DIR',
    'folder to which every certified night is exported as files',
    'nights are exported by `pricebook export` only',
  ),
  plain('EXPORT_URL', 'bucket to which they are exported instead: s3://bucket/prefix', 'likewise'),
  plain(
    'EXPORT_ENDPOINT',
    'server of the bucket; https, or http on this machine or a private network',
    'Amazon S3 in EXPORT_REGION',
  ),
  plain('EXPORT_REGION', "region that the bucket's requests are signed for", 'us-east-1'),
  secret('EXPORT_ACCESS_KEY_ID', 'access key of the bucket', 'no bucket can be written'),
  secret('EXPORT_SECRET_ACCESS_KEY', 'the secret that belongs to it', 'no bucket can be written'),
  secret(
    'ALERT_URL',
    'webhook that is told what a person should know of (docs/operate/alerts.md); https, or http on this machine or a private network',
    'nobody is told',
  ),
  secret('ALERT_SECRET', 'signs those messages', 'they are not signed'),
  plain('HOST', 'address the explorer listens on, and METRICS_PORT', '127.0.0.1'),
  plain(
    'PORT',
    'port the explorer listens on, or not at all when it is taken; 0: any free one; unset and taken: any free one, too',
    '4280',
  ),
  plain(
    'METRICS_PORT',
    'port on HOST at which `work` and `schedule` answer /healthz, /readyz and /metrics, another one for each process of a machine; 0: any free one; `start` and `serve` answer them on PORT',
    'they listen nowhere',
  ),
  secret(
    'DASHBOARD_PASSWORD',
    'password the explorer asks for; needed where HOST can be reached by others',
    'nothing is asked, on this machine only',
  ),
  plain(
    'DASHBOARD_USER_HEADER',
    'header in which a proxy in front of the explorer names the user it has let in, such as X-Forwarded-User; whoever reaches the explorer past the proxy can send it, too',
    'no header is believed',
  ),
  plain(
    'DASHBOARD_TRUSTED_PROXIES',
    'addresses of the proxies in front of the explorer, or ranges such as 10.0.0.0/8, separated by spaces: they alone are believed when they say that a visitor came by https, from where, and, with DASHBOARD_USER_HEADER, who it is',
    'no proxy is known',
  ),
  secret(
    'DASHBOARD_TOKENS',
    'tokens of programs that read the API and the metrics, sent as Authorization: Bearer …, separated by spaces; 20 characters each at least',
    'no token is accepted',
  ),
  plain('LOG_LEVEL', 'trace, debug, info, warn, error, fatal or silent', 'info'),
];

export type ListingSetting =
  | 'BASE_URL'
  | 'HOST'
  | 'KEY'
  | 'REQUESTS_PER_SECOND'
  | 'MONTHLY_QUOTA'
  | 'LIMITS'
  | 'WEIGHTS'
  | 'RESERVE'
  | 'PLAN'
  | 'SUBSCRIBED_ON'
  | 'PRICE'
  | 'BONUS_REQUESTS';

function listingVariables(listing: Listing): Variable[] {
  const name = (setting: ListingSetting) => `${listing.environmentPrefix}_${setting}`;
  const host = listing.hosts[0]?.host;
  return [
    plain(
      name('BASE_URL'),
      `${listing.title} (${listing.about}): where to ask; https, or http on this machine or a private network`,
      listing.baseUrl ?? 'not asked',
    ),
    plain(
      name('HOST'),
      `${listing.title}: host name the gateway knows it by, sent with every request; copy it from the listing's own page, where the key stands beside it`,
      host ? `${host}, or the host of the base URL` : 'the host of the base URL',
    ),
    secret(
      name('KEY'),
      `${listing.title}: subscriber key of this listing only, where another account subscribed to it`,
      'GATEWAY_KEY',
    ),
    plain(
      name('REQUESTS_PER_SECOND'),
      `${listing.title}: pace over all processes; 0: unlimited`,
      `${listing.requestsPerSecond.value}; 0 for the simulator`,
    ),
    plain(name('MONTHLY_QUOTA'), `${listing.title}: requests a month; 0: unlimited`, 'what the gateway says is left'),
    plain(
      name('LIMITS'),
      `${listing.title}: limits over longer windows, such as 100/minute; 1000/hour; 5000/day; each holds in any window of that length`,
      'none',
    ),
    plain(
      name('WEIGHTS'),
      `${listing.title}: what a request counts against the limits, by endpoint, such as uk-product-details=2`,
      'every request counts once',
    ),
    plain(
      name('RESERVE'),
      `${listing.title}: requests of the month kept back for health probes and for the pages of an open run`,
      'a hundredth of the month, 500 at most',
    ),
    plain(
      name('PLAN'),
      `${listing.title}: plan subscribed to: ${listing.plans.map((plan) => plan.name.toLowerCase()).join(', ')}`,
      'no plan is known, so nothing is said of money',
    ),
    plain(
      name('SUBSCRIBED_ON'),
      `${listing.title}: day on which the present subscription began, such as 2026-03-23; its months begin on that day`,
      'months begin on their first day',
    ),
    plain(
      name('PRICE'),
      `${listing.title}: price a month, such as 9.99 USD, or with that of each request beyond the quota: 9.99 + 0.0005 USD`,
      listing.plans.some((plan) => !plan.isFree && plan.pricePerMonth !== null)
        ? "the plan's, as published"
        : 'not known, unless the plan is free',
    ),
    ...(listing.bonusOffer === null ? [] : [bonusRequests(listing, listing.bonusOffer.startedUntil)]),
  ];
}

function bonusRequests({ environmentPrefix, title }: Listing, startedUntil: string): Variable {
  return plain(
    `${environmentPrefix}_BONUS_REQUESTS`,
    `${title}: requests a month that were promised on top of the plan; they hold while a paid plan that began by ${startedUntil} renews, and not after it was cancelled`,
    '0',
  );
}

function plain(name: string, description: string, fallback: string): Variable {
  return { name, description, default: fallback, secret: false };
}

function secret(name: string, description: string, fallback: string): Variable {
  return { name, description, default: fallback, secret: true };
}

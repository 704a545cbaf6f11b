import { type Listing, listings } from '../../source/listings/index.ts';

/** Documentation of an environment variable, also used for `.env.example`. */
export interface Variable {
  readonly name: string;
  readonly description: string;
  /** Default value, or its description. */
  readonly default: string;
  /** The value is never printed and may be read from the file in `<NAME>_FILE`. */
  readonly secret: boolean;
}

/** All variables, in the order of the documentation. */
export const variables: readonly Variable[] = [
  secret(
    'DATABASE_URL',
    'PostgreSQL 15 to 18, such as postgres://user:password@localhost:5432/pricebook',
    'an embedded server below PRICEBOOK_HOME',
  ),
  secret(
    'REDIS_URL',
    'Redis for the job queue, such as redis://localhost:6379',
    'the queue lives in the database of DATABASE_URL',
  ),
  plain('PRICEBOOK_HOME', 'data folder', '.pricebook'),
  secret(
    'GATEWAY_KEY',
    'subscriber key of your account at the gateway, for every listing without its own key; groceries need nothing else',
    'the simulator is used',
  ),
  plain(
    'GATEWAY_HEADER_PREFIX',
    'prefix of the header names of the gateway; not set: X-RapidAPI for all listings if one has a host of the real ' +
      'marketplace that the program knows',
    'X-Gateway',
  ),
  ...Object.values(listings).flatMap(listingVariables),
  plain('REQUEST_CONCURRENCY', 'requests in flight per listing and process, 1 to 256', '16'),
  plain('REQUEST_TIMEOUT', 'seconds until the last byte of a response, 1 to 600', '60'),
  plain(
    'ARCHIVE',
    '`file`: keep every payload as received, in PRICEBOOK_HOME; s3://bucket/prefix: keep it in a bucket, which the ' +
      'variables of EXPORT_URL give access to; `off`: keep none, so that nothing can be replayed',
    'file',
  ),
  plain('ARCHIVE_DAYS', 'days for which payloads and the pages and details of a run are kept; 0: for ever', '90'),
  plain(
    'DETAILS_MAX_AGE',
    "days after which a product's details are read again without a sign of a change, if the limits allow, 1 to 3650",
    '90',
  ),
  plain('CERTIFY_TOLERANCE', 'percent of the declared products that may be missing from a certified night', '0.1'),
  plain(
    'CERTIFY_MAX_DROP',
    'percent of the listed products that may disappear in one night (over n nights √n times as many, 30 at most); ' +
      'beyond that a sample is checked by product before the night is certified',
    '5',
  ),
  plain('DELIST_AFTER', 'consecutive certified nights that must miss a product before it is delisted, 1 to 365', '2'),
  plain(
    'STORE_AREAS',
    'areas in which stores are searched: boxes of south,west,north,east in degrees, separated by `;`',
    'Great Britain, Northern Ireland and Ireland',
  ),
  plain(
    'SEARCH_KEYWORDS',
    'keywords searched every night by `start` or `schedule`, separated by `;`, for one request each',
    'none',
  ),
  plain(
    'EXTRA_FIELDS',
    'fields of the payloads to keep with their history, such as rating=reviews.averageRating:number, separated by ' +
      '`;` (docs/analyse/extra-fields.md)',
    'none',
  ),
  plain(
    'EXPORT_DIR',
    'folder to which every certified night is exported as files',
    'only `pricebook export` exports nights',
  ),
  plain('EXPORT_URL', 'bucket to export to instead: s3://bucket/prefix', 'only `pricebook export` exports nights'),
  plain('EXPORT_KEEP_DAYS', 'days for which replaced files stay for readers that have begun to read them', '7'),
  plain(
    'EXPORT_ENDPOINT',
    'server of the buckets of EXPORT_URL and ARCHIVE; https, or http on this machine or a private network',
    'AWS_ENDPOINT_URL, or Amazon S3 in EXPORT_REGION',
  ),
  plain(
    'EXPORT_ADDRESSING',
    'path: the bucket is in the path of addresses; virtual: it is in the name of the host',
    'path',
  ),
  plain('EXPORT_REGION', 'region of the buckets, used to sign requests', 'AWS_REGION, or us-east-1'),
  plain(
    'EXPORT_CREDENTIALS',
    'keys: the two below; role: the role that AWS gives this machine, container, service account or profile',
    'keys',
  ),
  secret('EXPORT_ACCESS_KEY_ID', 'access key of the buckets', 'AWS_ACCESS_KEY_ID'),
  secret('EXPORT_SECRET_ACCESS_KEY', 'secret that belongs to EXPORT_ACCESS_KEY_ID', 'none'),
  secret('EXPORT_SESSION_TOKEN', 'token that belongs to EXPORT_ACCESS_KEY_ID if the key is temporary', 'none'),
  plain('AWS_ENDPOINT_URL', 'server of the buckets if EXPORT_ENDPOINT is not set', 'Amazon S3'),
  plain('AWS_REGION', 'region of the buckets if EXPORT_REGION is not set', 'us-east-1'),
  secret('AWS_ACCESS_KEY_ID', 'access key of the buckets if EXPORT_ACCESS_KEY_ID is not set', 'no bucket can be used'),
  secret('AWS_SECRET_ACCESS_KEY', 'secret that belongs to AWS_ACCESS_KEY_ID', 'none'),
  secret('AWS_SESSION_TOKEN', 'token that belongs to AWS_ACCESS_KEY_ID if the key is temporary', 'none'),
  secret(
    'ALERT_URL',
    'webhook or mail server for alerts and watches (docs/operate/alerts.md); https or smtps, or http or smtp on this ' +
      'machine or a private network; smtp elsewhere only with STARTTLS',
    'nothing is sent',
  ),
  secret('ALERT_SECRET', 'secret that alerts are signed with', 'alerts are not signed'),
  plain('HOST', 'address on which PORT and METRICS_PORT listen', '127.0.0.1'),
  plain(
    'PORT',
    'port of the explorer; a set port that is in use ends the command with exit code 78, ' +
      'otherwise any free port is used; 0: any free port',
    '4280',
  ),
  plain(
    'METRICS_PORT',
    'port on which `work` and `schedule` serve /healthz, /readyz and /metrics, a different one per process; 0: ' +
      'any free port; `start` and `serve` use PORT',
    '`work` and `schedule` do not listen',
  ),
  secret(
    'DASHBOARD_PASSWORD',
    'password of the explorer; required if HOST is not loopback',
    'no password, on this machine only',
  ),
  plain(
    'DASHBOARD_USER_HEADER',
    'header in which a proxy names the user it has authenticated, such as X-Forwarded-User; ' +
      'let only the proxy reach the explorer',
    'no header is trusted',
  ),
  plain(
    'DASHBOARD_TRUSTED_PROXIES',
    'addresses or ranges of proxies, such as 10.0.0.0/8, separated by spaces; ' +
      'only their X-Forwarded headers and DASHBOARD_USER_HEADER are trusted',
    'no proxy is trusted',
  ),
  secret(
    'DASHBOARD_TOKENS',
    'tokens for programs that read the API and the metrics, sent as Authorization: Bearer …, separated by spaces; ' +
      'at least 20 characters each',
    'no token is accepted',
  ),
  plain(
    'DASHBOARD_ORIGINS',
    'websites whose scripts may read the API with a token, such as https://notebook.example, separated by spaces',
    'no other website may',
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
      `${listing.title} (${listing.about}): base URL; https, or http on this machine or a private network`,
      listing.baseUrl ?? 'not used',
    ),
    plain(
      name('HOST'),
      `${listing.title}: host name that the gateway knows, sent with every request; copy it from the listing's page`,
      host ? `${host}, or the host of the base URL` : 'the host of the base URL',
    ),
    secret(name('KEY'), `${listing.title}: subscriber key for this listing only`, 'GATEWAY_KEY'),
    plain(
      name('REQUESTS_PER_SECOND'),
      `${listing.title}: requests per second over all processes; 0: unlimited`,
      `${listing.requestsPerSecond}; 0 for the simulator`,
    ),
    plain(
      name('MONTHLY_QUOTA'),
      `${listing.title}: requests per month; 0: unlimited`,
      'what the headers of the gateway say',
    ),
    plain(
      name('LIMITS'),
      `${listing.title}: further limits, such as 100/minute; 1000/hour; 5000/day; ` +
        'each holds in any window of that length',
      'none',
    ),
    plain(
      name('WEIGHTS'),
      `${listing.title}: units that a request counts, by endpoint, such as uk-product-details=2`,
      'every request counts once',
    ),
    plain(
      name('RESERVE'),
      `${listing.title}: requests of the month kept for health probes and the pages of an open run`,
      '1% of the month, at most 500',
    ),
    plain(
      name('PLAN'),
      `${listing.title}: plan subscribed to: ${listing.plans.map((plan) => plan.name.toLowerCase()).join(', ')}`,
      'costs are unknown',
    ),
    plain(
      name('SUBSCRIBED_ON'),
      `${listing.title}: day on which the subscription began, such as 2026-03-23; its months begin on that day`,
      'calendar months',
    ),
    plain(
      name('PRICE'),
      `${listing.title}: price per month, such as 9.99 USD; with the price of each additional request: ` +
        '9.99 + 0.0005 USD',
      listing.plans.some((plan) => !plan.isFree && plan.pricePerMonth !== null)
        ? 'the published price of the plan'
        : 'unknown, unless the plan is free',
    ),
    ...(listing.bonusOffer === null ? [] : [bonusRequests(listing, listing.bonusOffer.startedUntil)]),
  ];
}

function bonusRequests({ environmentPrefix, title }: Listing, startedUntil: string): Variable {
  return plain(
    `${environmentPrefix}_BONUS_REQUESTS`,
    `${title}: requests per month on top of a paid plan that began by ${startedUntil}, until it is cancelled`,
    '0',
  );
}

function plain(name: string, description: string, fallback: string): Variable {
  return { name, description, default: fallback, secret: false };
}

function secret(name: string, description: string, fallback: string): Variable {
  return { name, description, default: fallback, secret: true };
}

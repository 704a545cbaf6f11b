import { z } from 'zod';
import { listings } from '../../source/listings/index.ts';
import { named, plain, preset, secret } from './define-variable.ts';
import type { Variable } from './environment.ts';
import { variablesOf } from './listing-variables.ts';
import * as types from './variable-types.ts';

export const servers = {
  DATABASE_URL: secret(
    types.PostgresUrl,
    'PostgreSQL 15 to 18, such as postgres://user:password@localhost:5432/pricebook',
    'an embedded server below PRICEBOOK_HOME',
  ),
  REDIS_URL: secret(
    types.RedisUrl,
    'Redis for the job queue, such as redis://localhost:6379',
    'the queue lives in the database of DATABASE_URL',
  ),
  PRICEBOOK_HOME: preset(z.string(), 'data folder', '.pricebook'),
};

export const gateway = {
  GATEWAY_KEY: secret(
    types.HeaderValue,
    'subscriber key of your account at the gateway, for every listing without its own key; groceries need nothing else',
    'the simulator is used',
  ),
  GATEWAY_HEADER_PREFIX: plain(
    types.HeaderPrefix,
    'prefix of the header names of the gateway; not set: X-RapidAPI for all listings if one has a host of the real ' +
      'marketplace that the program knows',
    'X-Gateway',
  ),
};

export const crawling = {
  REGIONS: preset(types.Regions, 'regions that are crawled and planned: uk, ie, or both as uk,ie', 'uk,ie'),
  NIGHT_AT: preset(
    types.NightAt,
    'local time at which `start` and `schedule` open a night: 02:00, or by region uk=02:00,ie=03:30',
    '02:00',
  ),
  REQUEST_CONCURRENCY: preset(types.wholeNumber(1, 256), 'requests in flight per listing and process, 1 to 256', '16'),
  REQUEST_TIMEOUT: preset(types.wholeNumber(1, 600), 'seconds until the last byte of a response, 1 to 600', '60'),
  ARCHIVE: preset(
    types.ArchivePlace,
    '`file`: keep every payload as received, in PRICEBOOK_HOME; s3://bucket/prefix: keep it in a bucket, with the ' +
      'AWS_ variables of the AWS SDK; `off`: keep none, so that nothing can be replayed',
    'file',
  ),
  ARCHIVE_DAYS: preset(
    types.wholeNumber(0, 36_500),
    'days for which payloads and the pages and details of a run are kept; 0: for ever',
    '90',
  ),
  CERTIFY_TOLERANCE: preset(
    types.Percent,
    'percent of the declared products that may be missing from a certified night',
    '0.1',
  ),
  DELIST_AFTER: preset(
    types.wholeNumber(1, 365),
    'consecutive certified nights that must miss a product before it is delisted, 1 to 365',
    '2',
  ),
  STORE_AREAS: plain(
    types.StoreAreas,
    'areas in which stores are searched: boxes of south,west,north,east in degrees, separated by `;`',
    'Great Britain, Northern Ireland and Ireland',
  ),
  SEARCH_KEYWORDS: plain(
    types.SearchKeywords,
    'keywords searched every night by `start` or `schedule`, separated by `;`, for one request each',
    'none',
  ),
  EXTRA_FIELDS: plain(
    types.ExtraFields,
    'fields of the payloads to keep with their history, such as rating=reviews.averageRating:number, separated by ' +
      '`;` (docs/analyse/extra-fields.md)',
    'none',
  ),
  EXPORT_TO: plain(
    types.ExportPlace,
    'folder or bucket (s3://bucket/prefix, with the AWS_ variables of the AWS SDK) to which every certified night is ' +
      'exported as files',
    'only `pricebook export` exports nights',
  ),
};

/** With the prefix ALERT_. */
export const alerting = {
  URL: secret(
    types.ReceiverUrl,
    'webhook for alerts and watches (docs/operate/alerts.md); https, or http on this machine or a private network',
    'nothing is sent',
  ),
  SECRET: secret(types.HeaderValue, 'secret that alerts are signed with', 'alerts are not signed'),
};

export const serving = {
  HOST: preset(types.HostOrAddress, 'address on which PORT and METRICS_PORT listen', '127.0.0.1'),
  PORT: preset(
    types.wholeNumber(0, 65_535),
    'port of the explorer; a set port that is in use ends the command with exit code 78, ' +
      'otherwise any free port is used; 0: any free port',
    '4280',
  ),
  METRICS_PORT: plain(
    types.wholeNumber(0, 65_535),
    'port on which `work` and `schedule` serve /healthz, /readyz and /metrics, a different one per process; 0: ' +
      'any free port; `start` and `serve` use PORT',
    '`work` and `schedule` do not listen',
  ),
};

/** With the prefix DASHBOARD_. */
export const guarding = {
  PASSWORD: secret(
    z.string().min(8, 'must have at least 8 characters'),
    'password of the explorer; required if HOST is not loopback',
    'no password, on this machine only',
  ),
  USER_HEADER: plain(
    z.string().regex(/^[A-Za-z][\w-]*$/, 'must be the name of a header, such as X-Forwarded-User'),
    'header in which a proxy names the user it has authenticated, such as X-Forwarded-User; ' +
      'requires DASHBOARD_TRUSTED_PROXIES if HOST is not loopback',
    'no header is trusted',
  ),
  TRUSTED_PROXIES: plain(
    types.Proxies,
    'addresses or ranges of proxies, such as 10.0.0.0/8, separated by spaces; ' +
      'only their X-Forwarded headers and DASHBOARD_USER_HEADER are trusted',
    'no proxy is trusted',
  ),
  TOKENS: secret(
    types.Tokens,
    'tokens for programs that read the API and the metrics, sent as Authorization: Bearer …, separated by spaces; ' +
      'at least 20 characters each',
    'no token is accepted',
  ),
};

export const logging = {
  LOG_LEVEL: preset(types.LogLevel, 'trace, debug, info, warn, error, fatal or silent', 'info'),
};

/** All variables, in the order of the documentation. */
export const variables: readonly Variable[] = [
  ...named({ ...servers, ...gateway }),
  ...Object.values(listings).flatMap(variablesOf),
  ...named(crawling),
  ...named(alerting, 'ALERT_'),
  ...named(serving),
  ...named(guarding, 'DASHBOARD_'),
  ...named(logging),
];

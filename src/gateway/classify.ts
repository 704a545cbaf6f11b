import { type Envelope, readEnvelope } from './envelope.ts';
import { clampWait, type Headers, readQuota, readReset, readRetryAfter } from './quota.ts';

/** Meaning of a response, which determines what happens next. Only `ok` is ever parsed as data. */
export type Classification =
  | { readonly kind: 'ok'; readonly body: Readonly<Record<string, unknown>> }
  /** Too fast. `windowMs` is the window that the limit names, or one second. */
  | { readonly kind: 'rate_limited'; readonly windowMs: number; readonly retryAfterMs: number | null }
  /** The quota is used up; `until` as stated by the headers. */
  | { readonly kind: 'quota'; readonly what: string; readonly until: Date | null }
  /** The key is missing, unknown or not subscribed. */
  | { readonly kind: 'denied'; readonly what: string }
  /** The plan does not include this endpoint. */
  | { readonly kind: 'endpoint_disabled' }
  /** The gateway does not know this path or listing. */
  | { readonly kind: 'endpoint_missing'; readonly what: string }
  | { readonly kind: 'redirect'; readonly to: string | null }
  /** The vendor does not have this product or category. */
  | { readonly kind: 'not_there' }
  /** The upstream rejects this request; repeating it does not help. */
  | { readonly kind: 'refused'; readonly what: string }
  /** A failure that may be transient. */
  | { readonly kind: 'unavailable'; readonly what: string; readonly retryAfterMs: number | null }
  /** An unknown response: repeated once, then treated as failed. */
  | { readonly kind: 'unknown'; readonly what: string };

/** Parts of a response that determine its meaning. */
export interface Received {
  readonly status: number;
  /** Names are lower-case. */
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/**
 * Classifies a response. The gateway answers with `message` or `messages` and without `success`, the vendor behind it
 * with `success`. The first matching row of the table decides; without one the response is `unknown`, never `ok` or "no
 * products".
 */
export function classify({ status, headers, bytes }: Received, now: Date): Classification {
  const response: Response = { status, headers, now, ...readEnvelope(bytes, headers) };
  for (const row of table) {
    if (row.when(response)) return row.means(response);
  }
  return { kind: 'unknown', what: named(response) };
}

interface Response extends Envelope {
  readonly status: number;
  readonly headers: Headers;
  readonly now: Date;
}

interface Row {
  when(response: Response): boolean;
  means(response: Response): Classification;
}

// Phrases observed from the marketplace, Kong and AWS API Gateway. They are checked before the status, because some
// come with a misleading one: a quota message with 200, an invalid key with 401 or 403.
const quotaText = /exceeded the \w+ quota|quota (is |has been )?exceeded|^limit exceeded$/i;
const rateText = /rate limit|too many requests|throttl/i;
const keyText = new RegExp(
  [
    'invalid api key',
    'not subscribed',
    'no api key',
    'missing authentication token',
    'cannot consume this service',
    'unable to provide .* to your location',
  ].join('|'),
  'i',
);
const planText = /endpoint is disabled/i;
const pathText = /endpoint.*does not exist|api doesn'?t exist|no route matched/i;
const internalText = /^internal server error/i;
const downText = /api is unreachable|has timed out|upstream server|ring-balancer/i;

const table: readonly Row[] = [
  // Redirects are refused, whatever their body.
  {
    when: ({ status }) => status >= 300 && status < 400,
    means: ({ headers }) => ({ kind: 'redirect', to: header(headers, 'location') }),
  },

  // Responses of the gateway itself. A vendor body has `success`, so its texts are not mistaken for the gateway's.
  { when: (r) => byGateway(r) && limits(r) && quotaText.test(r.text), means: quota },
  {
    when: (r) => byGateway(r) && limits(r) && rateText.test(r.text),
    means: (r) => (isQuotaGone(r) && !/rate limit/i.test(r.text) ? quota(r) : rateLimited(r)),
  },
  {
    when: (r) => byGateway(r) && r.status < 500 && planText.test(r.text),
    means: () => ({ kind: 'endpoint_disabled' }),
  },
  { when: (r) => byGateway(r) && r.status < 500 && keyText.test(r.text), means: denied },
  {
    when: (r) => byGateway(r) && r.status < 500 && pathText.test(r.text),
    means: (r) => ({ kind: 'endpoint_missing', what: r.text }),
  },
  { when: (r) => byGateway(r) && downText.test(r.text), means: unavailable },

  // Success: any other 200 with an object that does not report a failure and was not made by the gateway itself.
  {
    when: (r) => r.status === 200 && r.body !== null && r.success !== false && !isMadeByGateway(r),
    means: ({ body }) => ({ kind: 'ok', body: body! }),
  },
  {
    when: ({ status }) => status === 429,
    means: (r) => (isQuotaGone(r) || quotaText.test(r.text) ? quota(r) : rateLimited(r)),
  },

  // 402 means that the subscription is not paid, whether the gateway or the vendor sends it.
  { when: ({ status }) => status === 402, means: denied },

  // The specification states no status for two of its errors; they are recognised by the body.
  { when: (r) => r.success === false && r.error === 'ZodError', means: refused },
  { when: (r) => r.success === false && internalText.test(r.text), means: unavailable },
  { when: (r) => r.status === 200 && r.error === 'VALIDATION_ERROR', means: refused },
  { when: (r) => r.status === 200, means: unavailable },

  // By status, regardless of sender and body.
  { when: ({ status }) => status >= 500 || status === 408, means: unavailable },

  // Keys and paths are checked by the gateway; a vendor's 401 or 403 means that the supermarket rejected the vendor.
  {
    when: (r) =>
      isAccess(r) &&
      r.success === null &&
      (r.body !== null || r.isPlainText || r.headers['www-authenticate'] !== undefined),
    means: denied,
  },
  { when: (r) => isAccess(r) && r.success !== null, means: unavailable },
  {
    when: (r) => r.status === 404 && r.success === null && (r.body !== null || isMadeByGateway(r)),
    means: (r) => ({ kind: 'endpoint_missing', what: named(r) }),
  },
  { when: (r) => (r.status === 404 || r.status === 410) && r.success !== null, means: () => ({ kind: 'not_there' }) },
  { when: (r) => r.status >= 400 && r.success !== null, means: refused },
  { when: ({ status }) => [400, 405, 406, 413, 414, 415, 422, 431].includes(status), means: refused },
];

/**
 * Waits for a hit limit, in milliseconds. Limits of an hour and longer are retried every few minutes, because their
 * reset is rarely stated.
 */
const windows: readonly [RegExp, number][] = [
  [/per (hour|day|month)/i, 5 * 60_000],
  [/per minute/i, 15_000],
];

function quota(r: Response): Classification {
  const turnsAt = readQuota(r.headers, r.now)?.resetsAt ?? readReset(r.headers['x-ratelimit-requests-reset'], r.now);
  return { kind: 'quota', what: r.text || 'the quota is used up', until: turnsAt };
}

function rateLimited(r: Response): Classification {
  const reset = readReset(r.headers['x-ratelimit-reset'] ?? r.headers['ratelimit-reset'], r.now);
  return {
    kind: 'rate_limited',
    windowMs: windows.find(([text]) => text.test(r.text))?.[1] ?? 1_000,
    retryAfterMs: retryAfter(r) ?? (reset && clampWait(reset.getTime() - r.now.getTime())),
  };
}

function denied(r: Response): Classification {
  return { kind: 'denied', what: named(r) };
}

function refused(r: Response): Classification {
  return { kind: 'refused', what: r.text || `HTTP ${r.status}` };
}

function unavailable(r: Response): Classification {
  return { kind: 'unavailable', what: named(r), retryAfterMs: retryAfter(r) };
}

/** A date follows the server's clock, which may differ from ours. */
function retryAfter({ headers, now }: Response): number | null {
  const answeredAt = new Date(header(headers, 'date') ?? Number.NaN);
  return readRetryAfter(headers['retry-after'], Number.isNaN(answeredAt.getTime()) ? now : answeredAt);
}

/** Whether the body is the gateway's own: it has neither `success` nor `data`. */
function byGateway(r: Response): boolean {
  return r.body !== null && r.success === null && r.body['data'] === undefined;
}

/** Whether the status is one with which limit messages have been observed. */
function limits({ status }: Response): boolean {
  return status === 429 || status === 200 || status === 403;
}

function isQuotaGone({ headers, now }: Response): boolean {
  return readQuota(headers, now)?.remaining === 0;
}

function isAccess({ status }: Response): boolean {
  return status === 401 || status === 403;
}

/** Header `x-<prefix>-proxy-response` or `-mock-response`: the gateway answered in place of the listing. */
function isMadeByGateway({ headers }: Response): boolean {
  return Object.keys(headers).some(
    (name) => /-(proxy|mock)-response$/.test(name) && header(headers, name)?.toLowerCase() === 'true',
  );
}

/** Formats a response as `HTTP 502, TESCO_API_ERROR: The upstream is unavailable`. */
function named(r: Response): string {
  return [`HTTP ${r.status}`, r.error].filter(Boolean).join(', ') + (r.text ? `: ${r.text}` : '');
}

function header(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

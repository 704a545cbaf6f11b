import type { FailureKind } from '../base/errors.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { clampWait, type Headers, readQuota, readReset, readRetryAfter } from './quota.ts';

/** Meaning of a response. Only `ok` is ever parsed as data. */
export type Classification =
  | { readonly kind: 'ok'; readonly body: Readonly<Record<string, unknown>> }
  | ResponseFailure;

/** Meaning of a response that is no answer; `src/gateway/policy.ts` says what follows from each kind. */
export interface ResponseFailure {
  readonly kind: FailureKind;
  /** The sender's words, or status and address; one line. */
  readonly what: string;
  /** The pause that the response asks for; null: none. */
  readonly waitMs: number | null;
}

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
  const means = table.find(([when]) => when(response))?.[1] ?? 'unknown';
  return classified(typeof means === 'string' ? means : means(response), response);
}

interface Response extends Envelope {
  readonly status: number;
  readonly headers: Headers;
  readonly now: Date;
}

type Kind = 'ok' | FailureKind;
/** A condition, and what a response means for which it is the first to hold. */
type Row = readonly [when: (response: Response) => boolean, means: Kind | ((response: Response) => Kind)];

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
const emptyText = /(?<![a-z])(no|0)[ _](\w+[ _])?(results?|products|items)(?![a-z])|category[ _](is[ _])?empty/i;
const absentText =
  /\bcategory (?!.*\bpage\b)(.* )?(not found|unknown|(not|n't) exist)|(no such|unknown) category(?!-)/i;
const internalText = /^internal server error/i;
const downText = /api is unreachable|has timed out|upstream server|ring-balancer/i;

const table: readonly Row[] = [
  // Redirects are refused, whatever their body.
  [({ status }) => status >= 300 && status < 400, 'redirect'],

  // Responses of the gateway itself. A vendor body has `success`, so its texts are not mistaken for the gateway's.
  [(r) => byGateway(r) && limits(r) && quotaText.test(r.text), 'quota'],
  [
    (r) => byGateway(r) && limits(r) && rateText.test(r.text),
    (r) => (isQuotaGone(r) && !/rate limit/i.test(r.text) ? 'quota' : 'rate_limited'),
  ],
  [(r) => byGateway(r) && r.status < 500 && planText.test(r.text), 'endpoint_disabled'],
  [(r) => byGateway(r) && r.status < 500 && keyText.test(r.text), 'denied'],
  [(r) => byGateway(r) && r.status < 500 && pathText.test(r.text), 'endpoint_missing'],
  [(r) => byGateway(r) && downText.test(r.text), 'unavailable'],

  [({ status }) => status === 204, 'empty'],
  [(r) => r.success === false && r.status < 500 && emptyText.test(`${r.error} ${r.text}`), 'empty'],
  [(r) => (r.success === false || r.status === 404) && r.status < 500 && absentText.test(r.text), 'not_there'],

  // Success: any other 200 with an object that does not report a failure and was not made by the gateway itself.
  [(r) => r.status === 200 && r.body !== null && r.success !== false && !isMadeByGateway(r), 'ok'],
  [({ status }) => status === 429, (r) => (isQuotaGone(r) || quotaText.test(r.text) ? 'quota' : 'rate_limited')],

  // 402 means that the subscription is not paid, whether the gateway or the vendor sends it.
  [({ status }) => status === 402, 'denied'],

  // The specification states no status for two of its errors; they are recognised by the body.
  [(r) => r.success === false && r.error === 'ZodError', 'refused'],
  [(r) => r.success === false && internalText.test(r.text), 'unavailable'],
  [(r) => r.status === 200 && r.error === 'VALIDATION_ERROR', 'refused'],
  [(r) => r.status === 200, 'unavailable'],

  // By status, regardless of sender and body.
  [({ status }) => status >= 500 || status === 408, 'unavailable'],

  // Keys and paths are checked by the gateway; a vendor's 401 or 403 means that the supermarket rejected the vendor.
  [
    (r) =>
      isAccess(r) &&
      r.success === null &&
      (r.body !== null || r.isPlainText || r.headers['www-authenticate'] !== undefined),
    'denied',
  ],
  [(r) => isAccess(r) && r.success !== null, 'unavailable'],
  [(r) => r.status === 404 && r.success === null && (r.body !== null || isMadeByGateway(r)), 'endpoint_missing'],
  [(r) => r.status === 410 || (r.status === 404 && r.success !== null), 'not_there'],
  [(r) => r.status >= 400 && r.success !== null, 'refused'],
  [({ status }) => [400, 405, 406, 413, 414, 415, 422, 431].includes(status), 'refused'],
];

function classified(kind: Kind, r: Response): Classification {
  return kind === 'ok' ? { kind, body: r.body! } : { kind, what: whatOf(kind, r), waitMs: waitOf(kind, r) };
}

function whatOf(kind: FailureKind, r: Response): string {
  switch (kind) {
    case 'redirect':
      return header(r.headers, 'location') ?? 'nowhere';
    case 'quota':
      return r.text || 'the quota is used up';
    case 'refused':
      return r.text || `HTTP ${r.status}`;
    case 'endpoint_missing':
      return r.text || named(r);
    default:
      return named(r);
  }
}

/** Limits of an hour and longer are tried again every few minutes, because their reset is rarely stated. */
const windows: readonly [RegExp, number][] = [
  [/per (hour|day|month)/i, 5 * 60_000],
  [/per minute/i, 15_000],
];

function waitOf(kind: FailureKind, r: Response): number | null {
  const msUntil = (name: string) => {
    const at = readReset(r.headers[name], r.now);
    return at && at.getTime() - r.now.getTime();
  };
  if (kind === 'unavailable') return retryAfter(r);
  if (kind === 'quota') {
    const resetsAt = readQuota(r.headers, r.now)?.resetsAt;
    return resetsAt ? resetsAt.getTime() - r.now.getTime() : msUntil('x-ratelimit-requests-reset');
  }
  if (kind !== 'rate_limited') return null;
  const resetMs = msUntil('x-ratelimit-reset') ?? msUntil('ratelimit-reset');
  const windowMs = windows.find(([text]) => text.test(r.text))?.[1] ?? null;
  return retryAfter(r) ?? (resetMs === null ? windowMs : clampWait(resetMs));
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

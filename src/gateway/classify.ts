import type { FailureKind } from '../base/errors.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { limitIn, statedWait } from './limit-words.ts';
import { clampWait, type Headers, longestResetMs, readQuota, readReset, readRetryAfter } from './quota.ts';

/** Meaning of a response. Only `ok` is ever parsed as data. */
export type Classification =
  | ({ readonly kind: 'ok'; readonly body: Readonly<Record<string, unknown>> } & Partial<Pick<Envelope, 'nulled'>>)
  | ResponseFailure;

/** Meaning of a response that is no answer; `src/gateway/policy.ts` says what follows from each kind. */
export interface ResponseFailure {
  readonly kind: FailureKind;
  /** The sender's words, or status and address; one line. */
  readonly what: string;
  /** The pause that the response asks for; null: none. */
  readonly waitMs: number | null;
  /** Whether it would be an answer if its body could be read. */
  readonly isUnread?: boolean;
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
  const envelope = readEnvelope(bytes, headers);
  const limit = isFailureText(envelope) ? limitIn(`${envelope.error ?? ''} ${envelope.text}`) : null;
  const response: Response = { status, headers, now, limit, ...envelope };
  const means = table.find(([when]) => when(response))?.[1] ?? 'unknown';
  return classified(typeof means === 'string' ? means : means(response), response);
}

interface Response extends Envelope {
  readonly status: number;
  readonly headers: Headers;
  readonly now: Date;
  /** What its words say of a limit. */
  readonly limit: ReturnType<typeof limitIn>;
}

type Kind = 'ok' | FailureKind;
/** A condition, and what a response means for which it is the first to hold. */
type Row = readonly [when: (response: Response) => boolean, means: Kind | ((response: Response) => Kind)];

// Phrases observed from the marketplace, Kong and AWS API Gateway. They are checked before the status, because some
// come with a misleading one: a quota message with 200, an invalid key with 401 or 403.
const keyText = new RegExp(
  [
    'invalid.(api|access).?key',
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

  // A quota, whoever names it.
  [(r) => r.limit?.is === 'quota' && (limits(r) || r.limit.isClear), 'quota'],

  // Responses of the gateway itself. A vendor body has `success`, so its texts are not mistaken for the gateway's.
  [(r) => byGateway(r) && r.status < 500 && planText.test(r.text), 'endpoint_disabled'],
  [(r) => (byGateway(r) || (r.status === 200 && r.isFailure)) && r.status < 500 && keyText.test(r.text), 'denied'],
  [(r) => byGateway(r) && r.status < 500 && pathText.test(r.text), 'endpoint_missing'],
  [(r) => byGateway(r) && downText.test(r.text), 'unavailable'],
  [
    (r) => (r.limit !== null && limits(r)) || r.status === 429,
    (r) => (isQuotaGone(r) && !/rate limit/i.test(r.text) ? 'quota' : 'rate_limited'),
  ],

  [({ status }) => status === 204, 'empty'],
  [(r) => r.success === false && r.status < 500 && emptyText.test(`${r.error} ${r.text}`), 'empty'],
  [(r) => (r.success === false || r.status === 404) && r.status < 500 && absentText.test(r.text), 'not_there'],

  // Success: any other 200 with an object that does not report a failure and was not made by the gateway itself.
  [(r) => r.status === 200 && r.body !== null && !r.isFailure && !isMadeByGateway(r), 'ok'],

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
  if (kind === 'ok') return { kind, body: r.body!, ...(r.nulled.length > 0 && { nulled: r.nulled }) };
  const failure = { kind, what: whatOf(kind, r), waitMs: waitOf(kind, r) };
  return r.status === 200 && r.body === null ? { ...failure, isUnread: true } : failure;
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

/** The pause that headers or words ask for. Limits of an hour are tried again every few minutes without them. */
function waitOf(kind: FailureKind, r: Response): number | null {
  if (kind !== 'quota' && kind !== 'rate_limited') return kind === 'unavailable' ? retryAfter(r) : null;
  const msUntil = (at: Date | null | undefined) => at && at.getTime() - r.now.getTime();
  const [quota, ...resets] = ['x-ratelimit-requests-reset', 'x-ratelimit-reset', 'ratelimit-reset'].map((name) =>
    msUntil(readReset(r.headers[name], r.now)),
  );
  const stated = resets.find((ms) => ms) ?? statedWait(r.text, r.now);
  if (kind === 'quota')
    return msUntil(readQuota(r.headers, r.now)?.resetsAt) ?? quota ?? retryAfter(r, longestResetMs) ?? stated;
  const windowMs = /per hour/i.test(r.text) ? 5 * 60_000 : /per minute/i.test(r.text) ? 15_000 : null;
  return retryAfter(r) ?? (stated === null ? windowMs : clampWait(stated));
}

/** A date follows the server's clock, which may differ from ours. */
function retryAfter({ headers, now }: Response, mostMs?: number): number | null {
  const answeredAt = new Date(header(headers, 'date') ?? Number.NaN);
  return readRetryAfter(headers['retry-after'], Number.isNaN(answeredAt.getTime()) ? now : answeredAt, mostMs);
}

/** Whether the body is the gateway's own: it has neither `success` nor `data`. */
function byGateway(r: Response): boolean {
  return r.body !== null && r.success === null && r.body['data'] === undefined;
}

/** Whether the text is about a failure: real data may contain any words. */
function isFailureText({ body, success, isPlainText }: Envelope): boolean {
  return isPlainText || (body !== null && success !== true && (success === false || body['data'] == null));
}

/** Whether the status is one with which limit messages have been observed. */
function limits({ status }: Response): boolean {
  return [200, 401, 402, 403, 429].includes(status);
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

import type { FailureKind } from '../base/errors.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { limitIn, statedWait } from './limit-words.ts';
import { clampWait, type Headers, longestResetMs, type Quota, readQuota, readReset, readStated } from './quota.ts';

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
  const r: Response = { status, headers, now, limit, quota: readQuota(headers, now), ...envelope };
  const means = table.find(([when]) => when(r))?.[1] ?? 'unknown';
  const kind = typeof means === 'string' ? means : means(r);
  if (kind === 'ok') return { kind, body: r.body!, ...(r.nulled.length > 0 && { nulled: r.nulled }) };
  return { kind, what: whatOf(kind, r), waitMs: waitOf(kind, r) };
}

interface Response extends Envelope {
  readonly status: number;
  readonly headers: Headers;
  readonly now: Date;
  /** What its words say of a limit. */
  readonly limit: ReturnType<typeof limitIn>;
  readonly quota: Quota | null;
}

type Kind = 'ok' | FailureKind;
/** A condition, and what a response means for which it is the first to hold. */
type Row = readonly [when: (response: Response) => boolean, means: Kind | ((response: Response) => Kind)];

// Phrases observed from the marketplace, Kong and AWS API Gateway. They are checked before the status, because some
// come with a misleading one: a quota message with 200, an invalid key with 401 or 403.
const keyText = new RegExp(
  [
    'invalid.(api|access).?key|no api key|missing authentication token',
    'not subscribed|cannot consume this service|unable to provide .* to your location',
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
const access = [401, 403];

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
    (r) => (r.quota?.remaining === 0 && !/rate limit/i.test(r.text) ? 'quota' : 'rate_limited'),
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
  [(r) => r.status === 200, (r) => (r.body === null ? 'unreadable' : 'unavailable')],

  // By status, regardless of sender and body.
  [({ status }) => status >= 500 || status === 408, 'unavailable'],

  // Keys and paths are checked by the gateway; a vendor's 401 or 403 means that the supermarket rejected the vendor.
  [(r) => access.includes(r.status) && r.success !== null, 'unavailable'],
  [(r) => access.includes(r.status) && (r.body !== null || r.isPlainText || 'www-authenticate' in r.headers), 'denied'],
  [(r) => r.status === 404 && r.success === null && (r.body !== null || isMadeByGateway(r)), 'endpoint_missing'],
  [(r) => r.status === 410 || (r.status === 404 && r.success !== null), 'not_there'],
  [(r) => r.status >= 400 && r.success !== null, 'refused'],
  [({ status }) => [400, 405, 406, 413, 414, 415, 422, 431].includes(status), 'refused'],
];

/** Failures of which the sender's words are enough. */
const quoted: readonly FailureKind[] = ['quota', 'refused', 'endpoint_missing', 'unreadable'];

/** The sender's words, or `HTTP 502, TESCO_API_ERROR: The upstream is unavailable`. */
function whatOf(kind: FailureKind, { status, headers, error, text }: Response): string {
  if (kind === 'redirect') return header(headers, 'location') ?? 'nowhere';
  if (text && quoted.includes(kind)) return text;
  return [`HTTP ${status}`, error].filter(Boolean).join(', ') + (text ? `: ${text}` : '');
}

/** The pause that headers or words ask for. Limits of an hour are tried again every few minutes without them. */
function waitOf(kind: FailureKind, r: Response): number | null {
  // A date follows the server's clock, which may differ from ours.
  const answeredAt = new Date(header(r.headers, 'date') ?? Number.NaN);
  const retryAfter = readStated(r.headers['retry-after'], Number.isNaN(answeredAt.getTime()) ? r.now : answeredAt);
  const orNull = (ms: number | null | undefined, mostMs?: number) => (ms == null ? null : clampWait(ms, mostMs));
  if (kind === 'unavailable' || kind === 'unreadable') return orNull(retryAfter, 5 * 60_000);
  if (kind !== 'quota' && kind !== 'rate_limited') return null;
  const resets = ['x-ratelimit-reset', 'ratelimit-reset'].map((name) => readReset(r.headers[name], r.now));
  const stated = retryAfter ?? resets.find((ms) => ms) ?? statedWait(r.text, r.now);
  if (kind === 'rate_limited')
    return orNull(stated ?? (/per hour/i.test(r.text) ? 5 * 60_000 : /per minute/i.test(r.text) ? 15_000 : null));
  const resetsAt = r.quota?.resetsAt;
  if (resetsAt) return resetsAt.getTime() - r.now.getTime();
  return readReset(r.headers['x-ratelimit-requests-reset'], r.now) ?? orNull(stated, longestResetMs);
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

/** Header `x-<prefix>-proxy-response` or `-mock-response`: the gateway answered in place of the listing. */
function isMadeByGateway({ headers }: Response): boolean {
  return Object.keys(headers).some(
    (name) => /-(proxy|mock)-response$/.test(name) && header(headers, name)?.toLowerCase() === 'true',
  );
}

function header(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

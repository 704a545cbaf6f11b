import type { Payload } from './model/index.ts';
import { asSaid, type FailureKind, PricebookError } from './pricebook-error.ts';

interface Failed {
  /** The listing and endpoint. */
  readonly where: string;
  /** One line without a key; the sender's words where it said any. */
  readonly what?: string;
  /** When to try again; null: unknown. */
  readonly until?: Date | null;
  /** Of `waits`: the reason of a stop (ops.stop), or the limit that is used up: month, minute, hour, day, budget. */
  readonly reason?: string;
  /** Status of the response; null: there was none. */
  readonly status?: number | null;
  readonly payload?: Payload | null;
  /** Variable of the key. */
  readonly keyVariable?: string;
  readonly cause?: unknown;
}

/** A request without a usable answer, or one that was not sent. The kind decides what follows. */
export class RequestFailed extends PricebookError {
  override readonly kind: FailureKind;
  override readonly exitCode: number;
  readonly what: string;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly payload: Payload | null;

  constructor(kind: FailureKind, failed: Failed) {
    super(messageOf(kind, failed), { cause: failed.cause });
    this.kind = kind;
    this.what = failed.what ?? kind;
    this.until = failed.until ?? null;
    this.reason = failed.reason ?? null;
    this.payload = failed.payload ?? null;
    this.status = failed.status ?? this.payload?.status ?? null;
    this.exitCode = exitCodeOf(kind === 'waits' ? (failed.reason ?? 'failing') : kind);
  }
}

const tryLater = [
  ...['rate_limited', 'quota', 'quota_used_up', 'too_fast', 'room'],
  ...['month', 'minute', 'hour', 'day', 'budget'],
];
const configuration = ['denied', 'redirect', 'key_refused', 'moved'];
const unreachable = ['unavailable', 'unreadable', 'unknown', 'unsent', 'failing'];

function exitCodeOf(reason: string): number {
  if (tryLater.includes(reason)) return 75;
  return configuration.includes(reason) ? 78 : unreachable.includes(reason) ? 69 : 1;
}

function messageOf(
  kind: FailureKind,
  { where, what = kind, until = null, reason, status, keyVariable = 'GATEWAY_KEY' }: Failed,
): string {
  const said = asSaid(what);
  const later = `Nothing was lost; run the same command again ${until ? `after ${until.toISOString()}` : 'later'}.`;
  if (reason === 'key_refused') return messageOf('denied', { where, what, keyVariable });
  switch (kind) {
    case 'rate_limited':
      return `${where}: too many requests. Lower the listing's REQUESTS_PER_SECOND if this continues.`;
    case 'denied':
      return `The gateway refuses ${where}: ${said}. Check the key in ${keyVariable} and its subscription.`;
    case 'endpoint_disabled':
      return `${where} is not part of the subscription's plan. Upgrade the plan, or continue without this endpoint.`;
    case 'endpoint_missing':
      return `${where} does not exist at the gateway (${said}). Check the listing's host and base URL.`;
    case 'redirect':
      return (
        `${where} redirects to ${said}. Redirects are not followed, because they would send the key to another host. ` +
        'If the listing has moved, set its HOST and BASE_URL.'
      );
    case 'refused':
      return `${where} refuses the request${status ? ` (HTTP ${status})` : ''}: ${said}. It is not repeated.`;
    case 'not_there':
      return `${where}: not found upstream.`;
    case 'waits':
    case 'unreadable':
    case 'empty':
    case 'quota':
      return `${where}: ${said}. ${later}`;
    default:
      return `${where} is unavailable: ${said}. ${later}`;
  }
}

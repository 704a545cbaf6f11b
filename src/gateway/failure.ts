import {
  AccessDenied,
  BudgetExhausted,
  EndpointDisabled,
  EndpointMissing,
  NotThere,
  type PricebookError,
  QuestionRefused,
  RateLimited,
  RedirectRefused,
  UpstreamUnavailable,
} from '../errors.ts';
import { clampWait } from './retry-after.ts';
import type { OutcomeKind } from './spend.ts';
import type { Verdict } from './verdict.ts';

/** A verdict that is not a success. */
export type Failure = Exclude<Verdict, { kind: 'ok' }>;

/** How a verdict is counted. */
export const outcomeOf: Readonly<Record<Verdict['kind'], OutcomeKind>> = {
  ok: 'ok',
  rate_limited: 'rate_limited',
  quota: 'quota',
  denied: 'denied',
  endpoint_disabled: 'refused',
  endpoint_missing: 'refused',
  redirect: 'refused',
  not_there: 'refused',
  refused: 'refused',
  unavailable: 'failed',
  unknown: 'failed',
};

/** The error a caller gets once nothing more is tried. `status` is null when no response came. */
export function failureOf(
  verdict: Failure,
  about: { where: string; listing: string; keyVariable: string; status: number | null; cause?: unknown },
): PricebookError {
  const { where, status, cause } = about;
  switch (verdict.kind) {
    case 'rate_limited':
      return new RateLimited(where, clampWait(verdict.retryAfterMs ?? verdict.windowMs));
    case 'quota':
      return new BudgetExhausted(where, verdict.what, verdict.until);
    case 'denied':
      return new AccessDenied(about.listing, verdict.what, about.keyVariable);
    case 'endpoint_disabled':
      return new EndpointDisabled(where);
    case 'endpoint_missing':
      return new EndpointMissing(where, verdict.what);
    case 'redirect':
      return new RedirectRefused(where, verdict.to);
    case 'not_there':
      return new NotThere(where);
    case 'refused':
      return new QuestionRefused(where, status ?? 0, verdict.what);
    case 'unavailable':
      return new UpstreamUnavailable(where, verdict.what, { status, cause });
    case 'unknown':
      // A status of ours to blame is a page error; anything else may be the upstream's bad day.
      return status !== null && status >= 400 && status < 500
        ? new QuestionRefused(where, status, verdict.what)
        : new UpstreamUnavailable(where, verdict.what, { status, cause });
  }
}

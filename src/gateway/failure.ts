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
} from '../base/errors.ts';
import type { Classification } from './classify.ts';
import { clampWait } from './quota.ts';
import type { OutcomeKind } from './spend.ts';

/** A classification other than `ok`. */
export type Failure = Exclude<Classification, { kind: 'ok' }>;

/** Outcome under which a classification is counted. */
export const outcomeOf: Readonly<Record<Classification['kind'], OutcomeKind>> = {
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

/** The error for the caller when nothing more is tried. `status` is null if no response was received. */
export function failureOf(
  classification: Failure,
  about: { where: string; listing: string; keyVariable: string; status: number | null; cause?: unknown },
): PricebookError {
  const { where, status, cause } = about;
  switch (classification.kind) {
    case 'rate_limited':
      return new RateLimited(where, clampWait(classification.retryAfterMs ?? classification.windowMs));
    case 'quota':
      return new BudgetExhausted(where, classification.what, classification.until, { isOfKey: true });
    case 'denied':
      return new AccessDenied(about.listing, classification.what, about.keyVariable);
    case 'endpoint_disabled':
      return new EndpointDisabled(where);
    case 'endpoint_missing':
      return new EndpointMissing(where, classification.what);
    case 'redirect':
      return new RedirectRefused(where, classification.to);
    case 'not_there':
      return new NotThere(where);
    case 'refused':
      return new QuestionRefused(where, status ?? 0, classification.what);
    case 'unavailable': {
      const { retryAfterMs } = classification;
      return new UpstreamUnavailable(where, classification.what, { status, cause, retryAfterMs });
    }
    case 'unknown':
      // A 4xx status means that this request is wrong; anything else may be a transient upstream failure.
      return status !== null && status >= 400 && status < 500
        ? new QuestionRefused(where, status, classification.what)
        : new UpstreamUnavailable(where, classification.what, { status, cause });
  }
}

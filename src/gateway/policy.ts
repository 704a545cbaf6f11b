import type { FailureKind } from '../base/errors.ts';
import type { StopReason } from './limits/stops.ts';
import type { Quota } from './quota.ts';

/** What became of a request. */
export interface Outcome {
  /** `aborted`: cancelled by us after it may have been sent. */
  readonly kind: FailureKind | 'ok' | 'aborted';
  /** One line, without a key. */
  readonly what?: string;
  /** The pause that the response asks for. */
  readonly waitMs?: number | null;
  /** According to the headers of the response. */
  readonly quota?: Quota | null;
}

export interface Policy {
  /** Column of the request counts; null: no request was sent, or it was counted as answered. */
  readonly countedAs: CountedAs | null;
  /** How often the gateway repeats the request before the unit hears of it. */
  readonly retries: number;
  readonly unit: UnitFate;
  /** Attempts of the unit at most; default: those of its kind. A payload that breaks its contract twice will do so. */
  readonly maxAttempts?: number;
  /** Begun by the gate; that of a run by the loop, because it may be about what was answered. */
  readonly stop?: StopPolicy;
}

export const counted = ['ok', 'failed', 'refused', 'rate_limited', 'quota', 'denied', 'aborted'] as const;
export type CountedAs = (typeof counted)[number];

/**
 * `again`: it goes back and has lost an attempt. `free`: it goes back as it was. `failed`: not again in this run.
 * `kind_over`: `again`; if its kind is optional, the kind ends for this run where the run would pause. `leave`: the
 * worker gives back everything and leaves.
 */
export type UnitFate = 'again' | 'free' | 'failed' | 'kind_over' | 'leave';

export interface StopPolicy {
  readonly scope: 'key' | 'listing' | 'run';
  readonly reason: StopReason;
  /** Failures in a row of one process after which it begins. */
  readonly after: number;
  /** The first pause, unless the response names an end; each failed probe doubles it. */
  readonly firstMs: number;
  readonly maxMs: number;
}

const second = 1_000;
const minute = 60 * second;

const failing: StopPolicy = { scope: 'listing', reason: 'failing', after: 5, firstMs: 2 * second, maxMs: 5 * minute };
const tooFast: StopPolicy = { scope: 'listing', reason: 'too_fast', after: 1, firstMs: second, maxMs: 15 * minute };
// Unless its end is stated.
const hour = 60 * minute;
const quotaUsedUp: StopPolicy = { scope: 'key', reason: 'quota_used_up', after: 1, firstMs: hour, maxMs: hour };
const keyRefused: StopPolicy = { ...quotaUsedUp, reason: 'key_refused', firstMs: 5 * second, maxMs: 15 * minute };
// One page that leads elsewhere, or is not found in unknown words, says nothing about the others.
const moved: StopPolicy = { scope: 'listing', reason: 'moved', after: 3, firstMs: 10 * minute, maxMs: 60 * minute };
const unusable: StopPolicy = { scope: 'run', reason: 'endpoint', after: 3, firstMs: 10 * minute, maxMs: 10 * minute };
const notInPlan: StopPolicy = { ...unusable, after: 1 };
const broken: StopPolicy = { scope: 'run', reason: 'broken', after: 8, firstMs: 5 * minute, maxMs: 5 * minute };
const noRoom: StopPolicy = { scope: 'run', reason: 'room', after: 1, firstMs: 30 * second, maxMs: 30 * second };

/** What follows from a failure. No other place decides it. */
export const policy: Readonly<Record<FailureKind, Policy>> = {
  unsent: { countedAs: null, retries: 20, unit: 'free' },
  // No answer, 5xx, and a 200 that reports a failure.
  unavailable: { countedAs: 'failed', retries: 1, unit: 'again', stop: failing },
  unknown: { countedAs: 'failed', retries: 1, unit: 'again', stop: failing },
  // A 200 that is no JSON. With the same bytes twice, it will stay so (units.ts).
  unreadable: { countedAs: 'failed', retries: 0, unit: 'again', stop: failing },
  rate_limited: { countedAs: 'rate_limited', retries: 5, unit: 'free', stop: tooFast },
  quota: { countedAs: 'quota', retries: 0, unit: 'free', stop: quotaUsedUp },
  denied: { countedAs: 'denied', retries: 0, unit: 'free', stop: keyRefused },
  redirect: { countedAs: 'refused', retries: 0, unit: 'again', maxAttempts: 2, stop: moved },
  endpoint_missing: { countedAs: 'refused', retries: 0, unit: 'kind_over', maxAttempts: 2, stop: unusable },
  endpoint_disabled: { countedAs: 'refused', retries: 0, unit: 'kind_over', maxAttempts: 2, stop: notInPlan },
  not_there: { countedAs: 'refused', retries: 0, unit: 'again', maxAttempts: 2 },
  refused: { countedAs: 'refused', retries: 0, unit: 'failed' },
  // Whole departments may be unreadable: the night is then partial. First pages that all are end the run before that.
  contract: { countedAs: null, retries: 0, unit: 'again', maxAttempts: 2 },
  empty: { countedAs: 'ok', retries: 0, unit: 'again', maxAttempts: 2 },
  bug: { countedAs: null, retries: 0, unit: 'again', stop: broken },
  claim_lost: { countedAs: null, retries: 0, unit: 'free' },
  waits: { countedAs: null, retries: 0, unit: 'leave' },
  room: { countedAs: null, retries: 0, unit: 'leave', stop: noRoom },
  // No stop can be written.
  server_away: { countedAs: null, retries: 0, unit: 'leave' },
};

/** The policy of any outcome of a request. */
export function policyOf(kind: Outcome['kind']): Pick<Policy, 'countedAs' | 'stop'> {
  return kind === 'ok' || kind === 'aborted' ? { countedAs: kind } : policy[kind];
}

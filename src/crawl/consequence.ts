import {
  AccessDenied,
  ArchiveFull,
  BudgetExhausted,
  ContractBroken,
  DestinationUnavailable,
  DestinationUnusable,
  EndpointDisabled,
  EndpointMissing,
  LeaseLost,
  NotThere,
  type PricebookError,
  QuestionInvalid,
  QuestionRefused,
  RateLimited,
  RedirectRefused,
  ServerUnable,
  ServerUnreachable,
  UpstreamUnavailable,
} from '../base/errors.ts';
import type { StopReason } from './ledger/run-stops.ts';

/**
 * Consequence of an error. `retry`: the unit costs an attempt; `doubt`: the same, but at most two attempts; `wait`: try
 * again without costing an attempt; `pause` the whole run; `give_up`: fail the unit for this run; `drop`: ignore it,
 * because another worker has the unit; `bug`: report it.
 */
type Consequence = 'retry' | 'doubt' | 'wait' | 'pause' | 'give_up' | 'drop' | 'bug';

/** By kind of error: its consequence, and the reason code of a pause for it; default: `failure`. */
const table: readonly (readonly [new (...args: never[]) => PricebookError, Consequence, StopReason?])[] = [
  [UpstreamUnavailable, 'retry', 'upstream'],
  [RateLimited, 'wait', 'limit'],
  [BudgetExhausted, 'pause', 'limit'],
  [AccessDenied, 'pause', 'key_refused'],
  [RedirectRefused, 'pause', 'moved'],
  [EndpointMissing, 'pause', 'moved'],
  [EndpointDisabled, 'give_up'],
  [QuestionRefused, 'give_up'],
  [QuestionInvalid, 'give_up'],
  [NotThere, 'give_up'],
  [ContractBroken, 'doubt'],
  [ArchiveFull, 'pause', 'room'],
  [DestinationUnavailable, 'pause', 'room'],
  [DestinationUnusable, 'pause', 'room'],
  [LeaseLost, 'drop'],
  [ServerUnreachable, 'wait'],
  [ServerUnable, 'pause', 'room'],
];

/** The consequence of an error. No other place decides this. */
export function consequenceOf(error: unknown): Consequence {
  if (error instanceof UpstreamUnavailable && error.isHeldBack) return 'pause';
  return rowOf(error)?.[1] ?? 'bug';
}

/** The reason code of a pause with this cause. */
export function stopReasonOf(error: unknown): StopReason {
  return rowOf(error)?.[2] ?? 'failure';
}

const rowOf = (error: unknown) => table.find(([kind]) => error instanceof kind);

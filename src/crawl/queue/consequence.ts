import {
  AccessDenied,
  ArchiveFull,
  BudgetExhausted,
  ContractBroken,
  DriftBreaking,
  EndpointDisabled,
  EndpointMissing,
  FirstPagesUnread,
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
} from '../../base/errors.ts';

/**
 * What follows from an error: `retry` the unit again, it cost an attempt; `doubt`: likewise, but only once; `wait` and
 * try again, it cost none; `pause` the whole run; `give_up` the unit for this run; `drop` it, somebody else has it;
 * `bug`: let it be seen.
 */
type Consequence = 'retry' | 'doubt' | 'wait' | 'pause' | 'give_up' | 'drop' | 'bug';

const table: readonly (readonly [new (...args: never[]) => PricebookError, Consequence])[] = [
  [UpstreamUnavailable, 'retry'],
  [RateLimited, 'wait'],
  [BudgetExhausted, 'pause'],
  [AccessDenied, 'pause'],
  [RedirectRefused, 'pause'],
  [EndpointMissing, 'pause'],
  [EndpointDisabled, 'give_up'],
  [QuestionRefused, 'give_up'],
  [QuestionInvalid, 'give_up'],
  [NotThere, 'give_up'],
  [ContractBroken, 'doubt'],
  [DriftBreaking, 'pause'],
  [FirstPagesUnread, 'pause'],
  [ArchiveFull, 'pause'],
  [LeaseLost, 'drop'],
  [ServerUnreachable, 'wait'],
  [ServerUnable, 'pause'],
];

/** The one table from error to consequence. */
export function consequenceOf(error: unknown): Consequence {
  if (error instanceof UpstreamUnavailable && error.isHeldBack) return 'pause';
  for (const [kind, consequence] of table) if (error instanceof kind) return consequence;
  return 'bug';
}

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
 * Consequence of an error. `retry`: the unit costs an attempt; `doubt`: the same, but at most two attempts; `wait`: try
 * again without costing an attempt; `pause` the whole run; `give_up`: fail the unit for this run; `drop`: ignore it,
 * because another worker has the unit; `bug`: report it.
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

/** The consequence of an error. No other place decides this. */
export function consequenceOf(error: unknown): Consequence {
  if (error instanceof UpstreamUnavailable && error.isHeldBack) return 'pause';
  for (const [kind, consequence] of table) if (error instanceof kind) return consequence;
  return 'bug';
}

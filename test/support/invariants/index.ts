import { type Invariant, invariants } from '../../../src/followers/audits/invariants.ts';
import { historyInvariants } from './histories.ts';
import { ledgerInvariants, payloadInvariants, spendInvariants } from './ledger.ts';
import { runInvariants } from './runs.ts';

/** What `doctor --data` checks, and what else must hold in every database at every moment. */
export const allInvariants: readonly Invariant[] = [
  ...invariants,
  ...historyInvariants,
  ...runInvariants,
  ...ledgerInvariants,
  ...payloadInvariants,
  ...spendInvariants,
];

import { catalogueInvariants } from './catalogue.ts';
import { historyInvariants } from './histories.ts';
import type { Invariant } from './invariant.ts';
import { ledgerInvariants, payloadInvariants, spendInvariants } from './ledger.ts';
import { runInvariants } from './runs.ts';

/** All invariants of the database, by group. */
export const invariants: Readonly<Record<string, readonly Invariant[]>> = {
  histories: historyInvariants,
  catalogue: catalogueInvariants,
  runs: runInvariants,
  ledger: ledgerInvariants,
  payloads: payloadInvariants,
  spend: spendInvariants,
};

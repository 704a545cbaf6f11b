import type { Database } from '../../src/db/client.ts';
import { checkInvariants } from '../../src/followers/audits/invariants.ts';
import { allInvariants } from './invariants/index.ts';

/** Promises that must hold in every database at every moment and do not, in words; empty when all hold. */
export async function brokenInvariants(db: Database): Promise<string[]> {
  const violations = await checkInvariants(db, allInvariants);
  return violations.map(({ says, found, samples }) => `${says} (${found}): ${samples.join(' ')}`);
}

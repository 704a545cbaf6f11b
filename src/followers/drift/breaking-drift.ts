import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { Queryable } from '../../db/client.ts';
import type { Endpoint } from '../../source/endpoints/index.ts';
import { compareProfiles } from './compare.ts';
import type { Finding } from './finding.ts';
import { readMovedPrices } from './moved-prices.ts';
import { nightProfileOf } from './night-profile.ts';
import { profileBefore } from './read-drift.ts';
import { samplePayloads } from './sample.ts';

/** With fewer known products the price level decides instead. */
const fewestKnown = 10;

/**
 * Fields of a run's pages that are no longer read, or read wrongly, worst first: pages break the contract, the mapping
 * misses fields that the certified night before had, or prices are multiplied. Empty without an archive; drift is then
 * found afterwards in the ledger.
 */
export async function findBreakingDrift(
  needs: { readonly db: Queryable; readonly archive: Pick<Archive, 'getAll'> },
  run: { readonly runId: number; readonly region: RegionCode; readonly snapshotDate: string },
  endpoint: Endpoint<never, unknown>,
): Promise<readonly Finding[]> {
  const now = nightProfileOf(endpoint, await samplePayloads(needs, run.runId, endpoint.name));
  if (now.payloads === 0) return [];
  const before = await profileBefore(needs.db, run.region, endpoint.name, run.snapshotDate);
  // A few unreadable payloads do not stop the run; the certificate of the night takes them into account.
  const isFew = now.unreadable > 0 && now.unreadable < now.payloads / 2;
  const breaking = compareProfiles(before?.profile ?? nightProfileOf(endpoint, []), now).filter(
    ({ kind, severity, path }) =>
      severity === 'breaking' &&
      (kind === 'reads_less' || (kind === 'unreadable' && !isFew) || (kind === 'jump' && /price/i.test(path))),
  );
  const { known, moved } = await readMovedPrices(needs.db, run.runId);
  if (known < fewestKnown) return breaking;
  const others = breaking.filter(({ kind }) => kind !== 'jump');
  if (2 * moved <= known) return others;
  const said = `the prices of ${moved} of ${known} products changed by a large factor`;
  return [
    ...others,
    breaking.find(({ kind }) => kind === 'jump') ?? { kind: 'jump', severity: 'breaking', path: 'price', said },
  ];
}

import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { Askable } from '../../db/client.ts';
import type { Endpoint } from '../../source/endpoints/index.ts';
import { compareProfiles } from './compare.ts';
import type { Finding } from './finding.ts';
import { readMovedPrices } from './moved-prices.ts';
import { nightProfileOf } from './night-profile.ts';
import { profileBefore } from './read-drift.ts';
import { samplePayloads } from './sample.ts';

/** Fewer products that were listed before tell nothing of prices: their level has to. */
const fewestKnown = 10;

/**
 * What is read no more, or wrongly, of the pages that a run received, worst first: most of them break the contract, the
 * mapping misses fields that earlier nights gave, prices are a multiple. Empty where the archive keeps nothing: the
 * ledger then tells afterwards.
 */
export async function findBreakingDrift(
  needs: { readonly db: Askable; readonly archive: Pick<Archive, 'get'> },
  run: { readonly runId: number; readonly region: RegionCode; readonly snapshotDate: string },
  endpoint: Endpoint<never, unknown>,
): Promise<readonly Finding[]> {
  const now = nightProfileOf(endpoint, await samplePayloads(needs, run.runId, endpoint.name));
  if (now.payloads === 0) return [];
  const { before } = await profileBefore(needs.db, run.region, endpoint.name, run.snapshotDate);
  // A category that cannot be read is the certificate's concern.
  const isFew = now.unreadable > 0 && now.unreadable < now.payloads / 2;
  const breaking = compareProfiles(before, now).filter(
    ({ kind, severity, path }) =>
      severity === 'breaking' &&
      (kind === 'reads_less' || (kind === 'unreadable' && !isFew) || (kind === 'jump' && /price/i.test(path))),
  );
  const { known, moved } = await readMovedPrices(needs.db, run.runId);
  if (known < fewestKnown) return breaking;
  const others = breaking.filter(({ kind }) => kind !== 'jump');
  if (2 * moved <= known) return others;
  const said = `${moved} of ${known} products cost several times what they did, or a fraction of it`;
  return [
    ...others,
    breaking.find(({ kind }) => kind === 'jump') ?? { kind: 'jump', severity: 'breaking', path: 'price', said },
  ];
}

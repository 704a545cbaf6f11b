import { schemaVersion } from './datasets.ts';
import { type ExportedNight, type ExportFormat, exportedNight, type Manifest, type NightKey } from './manifest.ts';
import { isCertified, type Night } from './nights.ts';

/**
 * Nights that are to be exported: certified ones that are not there, and any that are there other than they are now
 * (crawled again, released, replayed, or written by a program with other columns). Not those that are to be withdrawn.
 */
export function owedOf(nights: readonly Night[], manifest: Manifest | null, format: ExportFormat): Night[] {
  return nights.filter((night) => {
    const exported = exportedNight(manifest, { region: night.region, snapshot_date: night.snapshotDate, format });
    if (!exported) return isCertified(night);
    return !isAsNow(exported, night) && (isCertified(night) || exported.certificate === 'partial');
  });
}

/**
 * Nights of any format that are to leave the place: certified when they were exported, partial now; and those half
 * gone.
 */
export function withdrawnOf(nights: readonly Night[], manifest: Manifest | null): NightKey[] {
  const partial = new Set(
    nights.filter((night) => !isCertified(night)).map((night) => `${night.region} ${night.snapshotDate}`),
  );
  const gone = (manifest?.nights ?? []).filter(
    ({ region, snapshot_date, certificate }) => certificate !== 'partial' && partial.has(`${region} ${snapshot_date}`),
  );
  return [...(manifest?.withdrawn ?? []), ...gone];
}

function isAsNow(exported: ExportedNight, night: Night): boolean {
  return (
    exported.schema_version === schemaVersion &&
    exported.run_id === night.runId &&
    exported.run_epoch === night.epoch &&
    exported.certificate === night.verdict &&
    // A hash that is to be computed again is waited for. What it does not cover, such as the kind of a promotion, has
    // the night's key.
    (night.contentHash === null ||
      (exported.content_hash === night.contentHash && (exported.change_seq ?? night.changeSeq) === night.changeSeq))
  );
}

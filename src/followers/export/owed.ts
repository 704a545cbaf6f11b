import { schemaVersion } from './datasets.ts';
import { type ExportedNight, type ExportFormat, exportedNight, type Manifest, type NightKey } from './manifest.ts';
import { isCertified, type Night } from './nights.ts';

/**
 * Nights to export: certified nights that are missing or differ from the manifest (crawled again, released, replayed,
 * or other columns). Excludes nights to withdraw.
 */
export function owedOf(nights: readonly Night[], manifest: Manifest | null, format: ExportFormat): Night[] {
  return nights.filter((night) => {
    const exported = exportedNight(manifest, { region: night.region, snapshot_date: night.snapshotDate, format });
    if (!exported) return isCertified(night);
    return !isAsNow(exported, night) && (isCertified(night) || exported.certificate === 'partial');
  });
}

/**
 * Nights of any format to withdraw: certified when exported, now partial; and nights whose withdrawal was interrupted.
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
    exported.content_hash === night.contentHash &&
    // Changes outside the hash, such as the kind of a promotion, change the night's key.
    (exported.change_seq ?? night.changeSeq) === night.changeSeq
  );
}

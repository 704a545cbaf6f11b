import { schemaVersion } from './datasets.ts';
import { type ExportedNight, type ExportFormat, exportedNight, type Manifest } from './manifest.ts';
import { isCertified, type Night } from './nights.ts';

/**
 * Nights that are to be exported: certified ones that are not there, and any that are there other than they are now (crawled
 * again, released, replayed, or written by a program with other columns).
 */
export function owedOf(nights: readonly Night[], manifest: Manifest | null, format: ExportFormat): Night[] {
  return nights.filter((night) => {
    const key = { region: night.region, snapshot_date: night.snapshotDate, format };
    const exported = exportedNight(manifest, key);
    return exported ? !isAsNow(exported, night) : isCertified(night);
  });
}

export function isAsNow(exported: ExportedNight, night: Night): boolean {
  return (
    exported.schema_version === schemaVersion &&
    exported.run_id === night.runId &&
    exported.run_epoch === night.epoch &&
    exported.certificate === night.verdict &&
    // A hash that is to be computed again is waited for.
    (night.contentHash === null || exported.content_hash === night.contentHash)
  );
}

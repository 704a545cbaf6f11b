import { schemaVersion } from './datasets.ts';
import { type ExportedNight, type ExportFormat, exportedNight, type Manifest } from './manifest.ts';
import { isCertified, type Night } from './nights.ts';

/** A night that is to be exported. */
export interface OwedNight {
  readonly night: Night;
  /** It was certified when it was exported and is partial now: it is to be withdrawn. Who asked for a partial night keeps it. */
  readonly isWithdrawn: boolean;
}

/**
 * Nights that are to be exported: certified ones that are not there, and any that are there other than they are now (crawled
 * again, released, replayed, or written by a program with other columns).
 */
export function owedOf(nights: readonly Night[], manifest: Manifest | null, format: ExportFormat): OwedNight[] {
  return nights.flatMap((night) => {
    const key = { region: night.region, snapshot_date: night.snapshotDate, format };
    const exported = exportedNight(manifest, key);
    const isOwed = exported ? !isAsNow(exported, night) : isCertified(night);
    return isOwed ? [{ night, isWithdrawn: !isCertified(night) && exported?.certificate !== 'partial' }] : [];
  });
}

export function isAsNow(exported: ExportedNight, night: Night): boolean {
  return (
    exported.schema_version === schemaVersion &&
    exported.run_id === night.runId &&
    exported.run_epoch === night.epoch &&
    exported.certificate === night.verdict &&
    // A hash that is to be computed again is waited for. What it does not cover, such as the kind of a promotion, has the night's key.
    (night.contentHash === null ||
      (exported.content_hash === night.contentHash && (exported.change_seq ?? night.changeSeq) === night.changeSeq))
  );
}

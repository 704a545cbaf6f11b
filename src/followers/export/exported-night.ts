import type { CertificateVerdict, RegionCode } from '../../base/model/index.ts';
import { type DatasetName, schemaVersion } from './datasets.ts';
import type { Night } from './nights.ts';

export const exportFormats = ['parquet', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A night as it was exported. */
export interface ExportedNight extends NightKey {
  readonly format: ExportFormat;
  readonly schema_version: number;
  readonly run_id: number;
  /** Increases when the run is replayed. */
  readonly run_epoch: number;
  /** Change key of the night in `marts.snapshot`; absent if it has none. */
  readonly change_seq?: number;
  /** Verdict of the certificate. */
  readonly certificate: CertificateVerdict;
  /** Hash over the rows of the night, as in the certificate; see docs/analyse/lake.md. */
  readonly content_hash: string;
  readonly files: readonly ExportedFile[];
}

export interface ExportedFile {
  readonly dataset: DatasetName;
  /** Relative to the destination, with `/`. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface NightKey {
  readonly region: RegionCode;
  readonly snapshot_date: string;
}

/** What every file of a night is tagged with. */
export type NightTags = Readonly<Record<string, string>>;

export function nightTags(night: Night): NightTags {
  return {
    schema_version: String(schemaVersion),
    run_id: String(night.runId),
    run_epoch: String(night.epoch),
    ...(night.changeSeq === null ? {} : { change_seq: String(night.changeSeq) }),
    certificate: night.verdict,
    content_hash: night.contentHash,
  };
}

import type { CertificateVerdict, RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { type DatasetName, schemaVersion } from './datasets.ts';

export interface NightKey {
  readonly region: RegionCode;
  readonly snapshotDate: string;
}

/** An exportable night: the latest certified run of a date, or the latest partial run if none is certified. */
export interface Night extends NightKey {
  readonly runId: number;
  /** As formatted by PostgreSQL, in microseconds. */
  readonly observedAt: string;
  readonly verdict: CertificateVerdict;
  /** Increases when the run is replayed. */
  readonly runToken: number;
  /** From the certificate. */
  readonly contentHash: string;
  /** Change key; null for nights of older versions of the program. */
  readonly changeSeq: number | null;
}

/** Published nights from one date to another, newest first. */
export async function readNights(
  sql: Queryable,
  { region, from, to }: { readonly region?: RegionCode; readonly from?: string; readonly to?: string },
): Promise<Night[]> {
  return camelRows<Night>(sql, `${selectNights} order by snapshot_date desc, region`, [region, from, to]);
}

export const isCertified = ({ verdict }: Pick<Night, 'verdict'>): boolean => verdict !== 'partial';

export const exportFormats = ['parquet', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What an exported night was made of: in its report and, as texts, in the tags of its files. */
export const contentOf = ({ runId, runToken, changeSeq, verdict, contentHash }: Night) => ({
  schema_version: schemaVersion,
  run_id: runId,
  run_token: runToken,
  ...(changeSeq === null ? {} : { change_seq: changeSeq }),
  certificate: verdict,
  content_hash: contentHash,
});

/** A night as it was exported. */
export interface ExportedNight extends ReturnType<typeof contentOf> {
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly format: ExportFormat;
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

const selectNights = `
  select run_id, region, snapshot_date, observed_at, verdict, run_token, content_hash, change_seq
  from (
    select distinct on (r.region, r.snapshot_date) r.run_id, r.region, r.snapshot_date, r.observed_at::text,
      r.verdict::text, r.run_token,
      c.content_hash::text as content_hash, change.change_seq
    from ops.published_run r
    join ops.certificate c using (run_id)
    left join ops.night_change change on change.region = r.region and change.snapshot_date = r.snapshot_date
    where r.verdict is not null
      and ($1::text is null or r.region = $1)
      and ($2::date is null or r.snapshot_date >= $2) and ($3::date is null or r.snapshot_date <= $3)
    order by r.region, r.snapshot_date, r.verdict = 'partial', r.run_id desc
  ) as night`;

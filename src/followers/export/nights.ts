import type { CertificateVerdict, RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** An exportable night: the latest certified run of a date, or the latest partial run if none is certified. */
export interface Night {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  /** As formatted by PostgreSQL, in microseconds. */
  readonly observedAt: string;
  readonly verdict: CertificateVerdict;
  /** Increases when the run is replayed. */
  readonly epoch: number;
  /** From the certificate. */
  readonly contentHash: string;
  /** Change key; null for nights of older versions of the program. */
  readonly changeSeq: number | null;
}

interface NightRange {
  readonly region?: RegionCode | undefined;
  /** Snapshot dates, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Published nights, newest first. */
export async function readNights(sql: Queryable, { region, from, to }: NightRange): Promise<Night[]> {
  return rowsOf<Night>(sql, `${selectNights} order by snapshot_date desc, region`, [
    region ?? null,
    from ?? null,
    to ?? null,
  ]);
}

/** Current night of a date; null if there is none. */
export async function readNight(sql: Queryable, region: RegionCode, snapshotDate: string): Promise<Night | null> {
  const [night] = await readNights(sql, { region, from: snapshotDate, to: snapshotDate });
  return night ?? null;
}

export function isCertified({ verdict }: Pick<Night, 'verdict'>): boolean {
  return verdict !== 'partial';
}

const selectNights = `
  select run_id as "runId", region, snapshot_date as "snapshotDate", observed_at as "observedAt", verdict, epoch,
    content_hash as "contentHash", change_seq as "changeSeq"
  from (
    select distinct on (r.region, r.snapshot_date) r.run_id, r.region, r.snapshot_date, r.observed_at::text,
      r.verdict::text, r.epoch,
      c.content_hash::text as content_hash, change.change_seq
    from ops.published_run r
    join ops.certificate c using (run_id)
    left join ops.night_change change on change.region = r.region and change.snapshot_date = r.snapshot_date
    where r.verdict is not null
      and ($1::text is null or r.region = $1)
      and ($2::date is null or r.snapshot_date >= $2) and ($3::date is null or r.snapshot_date <= $3)
    order by r.region, r.snapshot_date, r.verdict = 'partial', r.run_id desc
  ) as night`;

import type { RegionCode } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { hashNightOf } from '../../publish/quality/content-hash.ts';

/** A past night rebuilt from history and compared with its certificate. */
export interface VerifiedNight {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly isSame: boolean;
  readonly certified: string;
  readonly rebuilt: string | null;
}

interface NightsToVerify {
  readonly region?: RegionCode | undefined;
  readonly date?: string | undefined;
  readonly runId?: number | undefined;
  /** Number of nights to verify, chosen by `seed`; by default all. */
  readonly sample?: number | undefined;
  /** Equal seeds choose equal nights. */
  readonly seed?: string | undefined;
  readonly now: Date;
}

/**
 * Rebuilds past nights from history, compares each with the hash in its certificate and records the result. A date
 * crawled twice counts as two nights. Calls `onNight` after each.
 */
export async function verifyNights(
  db: Database,
  wanted: NightsToVerify,
  onNight: (night: VerifiedNight) => void = () => undefined,
): Promise<VerifiedNight[]> {
  const { region, date, runId, sample, seed = '', now } = wanted;
  const nights = await rowsOf<Omit<VerifiedNight, 'isSame' | 'rebuilt'>>(db, selectNights, [
    region ?? null,
    date ?? null,
    runId ?? null,
    seed,
    sample ?? null,
  ]);
  const verified: VerifiedNight[] = [];
  for (const night of nights) {
    const rebuilt = await hashNightOf(db, night.runId);
    const outcome = { ...night, rebuilt, isSame: rebuilt === night.certified };
    await db.query('update ops.certificate set verified_at = $2, is_verified = $3 where run_id = $1', [
      night.runId,
      now,
      outcome.isSame,
    ]);
    verified.push(outcome);
    onNight(outcome);
  }
  return verified;
}

const selectNights = `
  select run_id as "runId", region, snapshot_date as "snapshotDate", content_hash::text as certified
  from ops.published_run night join ops.certificate using (run_id)
  where ($1::text is null or region = $1) and ($2::date is null or snapshot_date = $2)
    and ($3::int is null or run_id = $3)
  order by case when $5::int is null then region || snapshot_date else md5(run_id || $4) end, run_id
  limit $5`;

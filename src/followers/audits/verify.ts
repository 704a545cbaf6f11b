import { eq } from 'drizzle-orm';
import type { RegionCode } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { certificate } from '../../db/tables/index.ts';
import { contentHash } from '../../publish/content-hash.ts';

/** A past night rebuilt from history and compared with its certificate. */
export interface VerifiedNight {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly isSame: boolean;
  readonly certified: string;
  readonly rebuilt: string | null;
}

/** By default all nights; equal seeds choose equal samples. */
type NightsToVerify = { readonly now: Date } & Readonly<
  Partial<Record<'region' | 'date' | 'seed', string | undefined> & Record<'runId' | 'sample', number | undefined>>
>;

/**
 * Rebuilds past nights from history, compares each with the hash in its certificate and records the result. A date
 * crawled twice counts as two nights. Calls `onNight` after each.
 */
export async function verifyNights(
  db: Database,
  { region, date, runId, sample, seed = '', now }: NightsToVerify,
  onNight: (night: VerifiedNight) => void = () => undefined,
): Promise<VerifiedNight[]> {
  const nights = await camelRows<Omit<VerifiedNight, 'isSame' | 'rebuilt'>>(db, selectNights, [
    region,
    date,
    runId,
    seed,
    sample,
  ]);
  const verified: VerifiedNight[] = [];
  for (const night of nights) {
    const rebuilt = await db.tx((tx) => contentHash(tx, night.runId));
    const outcome = { ...night, rebuilt, isSame: rebuilt === night.certified };
    const values = { verifiedAt: now, isVerified: outcome.isSame };
    await db.orm.update(certificate).set(values).where(eq(certificate.runId, night.runId));
    verified.push(outcome);
    onNight(outcome);
  }
  return verified;
}

const selectNights = `
  select run_id, region, snapshot_date, content_hash::text as certified
  from ops.published_run night join ops.certificate using (run_id)
  where ($1::text is null or region = $1) and ($2::date is null or snapshot_date = $2)
    and ($3::int is null or run_id = $3)
  order by case when $5::int is null then region || snapshot_date else md5(run_id || $4) end, run_id
  limit $5`;

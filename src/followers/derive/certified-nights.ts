import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { CertifiedNight } from './derivation.ts';

/** All certified nights of a region in order. */
export async function certifiedNights(sql: Queryable, region: RegionCode): Promise<CertifiedNight[]> {
  return rowsOf<CertifiedNight & Record<string, unknown>>(
    sql,
    `select run_id as "runId", snapshot_date as "snapshotDate", observed_at as "observedAt"
     from ops.certified_night
     where region = $1
     order by snapshot_date`,
    [region],
  );
}

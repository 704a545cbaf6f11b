import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { compareProfiles } from './compare.ts';
import type { Finding } from './finding.ts';
import type { NightProfile } from './night-profile.ts';
import { profileRules } from './take-profiles.ts';

/** Differences between a night's payloads and those of the certified night before it. */
export interface NightDrift {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly runId: number;
  readonly status: string;
  readonly certificate: string | null;
  readonly endpoints: readonly EndpointDrift[];
}

interface EndpointDrift {
  readonly endpoint: string;
  readonly payloads: number;
  /** Date of the certified night compared with; null: there is none. */
  readonly comparedWith: string | null;
  readonly findings: readonly Finding[];
}

/** Drift of a region's nights in a range, by default the last one, each by its latest run. */
export async function readDrift(
  db: Queryable,
  region: RegionCode,
  { from = null, to = null }: { readonly from?: string | null; readonly to?: string | null },
): Promise<readonly NightDrift[]> {
  const nights = await rowsOf<Omit<NightDrift, 'region' | 'endpoints'>>(db, selectNights, [
    region,
    profileRules,
    from,
    to,
    from === null && to === null ? 1 : null,
  ]);
  const drifts: NightDrift[] = [];
  for (const night of nights.reverse()) {
    drifts.push({ region, ...night, endpoints: await endpointsOf(db, region, night) });
  }
  return drifts;
}

async function endpointsOf(
  db: Queryable,
  region: RegionCode,
  { runId, snapshotDate }: { readonly runId: number; readonly snapshotDate: string },
): Promise<EndpointDrift[]> {
  const taken = await rowsOf<{ endpoint: string; profile: NightProfile }>(
    db,
    `select endpoint, profile
     from ops.payload_profile
     where run_id = $1 and rules = $2 and payloads > 0
     order by endpoint`,
    [runId, profileRules],
  );
  const drifts: EndpointDrift[] = [];
  for (const { endpoint, profile } of taken) {
    const before = await profileBefore(db, region, endpoint, snapshotDate);
    const findings = before === null ? [] : compareProfiles(before.profile, profile);
    drifts.push({ endpoint, payloads: profile.payloads, comparedWith: before?.snapshotDate ?? null, findings });
  }
  return drifts;
}

/** Profile of the certified night before a night; null: there is none. */
export async function profileBefore(
  db: Queryable,
  region: RegionCode,
  endpoint: string,
  snapshotDate: string,
): Promise<{ readonly snapshotDate: string; readonly profile: NightProfile } | null> {
  const [before] = await rowsOf<{ snapshotDate: string; profile: NightProfile }>(
    db,
    `select taken.snapshot_date as "snapshotDate", taken.profile
     from ops.payload_profile taken
     join ops.certified_run using (run_id)
     where taken.region = $1 and taken.endpoint = $2 and taken.snapshot_date < $3 and taken.rules = $4
       and taken.payloads > 0
     order by taken.snapshot_date desc, taken.run_id desc
     limit 1`,
    [region, endpoint, snapshotDate, profileRules],
  );
  return before ?? null;
}

const selectNights = `
  select distinct on (r.snapshot_date) r.snapshot_date as "snapshotDate", r.run_id as "runId", r.status::text,
    r.verdict::text as certificate
  from ops.run r
  where r.region = $1
    and exists (select from ops.payload_profile c where c.run_id = r.run_id and c.rules = $2)
    and ($3::date is null or r.snapshot_date >= $3) and ($4::date is null or r.snapshot_date <= $4)
  order by r.snapshot_date desc, r.run_id desc
  limit $5`;

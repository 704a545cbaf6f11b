import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { compareProfiles } from './compare.ts';
import type { Finding } from './finding.ts';
import { mergeNights, type NightProfile } from './night-profile.ts';
import { profileRules } from './take-profiles.ts';

/** Differences between a night's payloads and those of earlier certified nights. */
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
  /** Number of certified nights compared with; 0: no comparison possible. */
  readonly comparedWith: number;
  readonly findings: readonly Finding[];
}

/** Number of certified nights to compare with: a week covers all weekdays. */
const nightsBefore = 7;

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
    const { before, nights } = await profileBefore(db, region, endpoint, snapshotDate);
    const findings = nights === 0 ? [] : compareProfiles(before, profile);
    drifts.push({ endpoint, payloads: profile.payloads, comparedWith: nights, findings });
  }
  return drifts;
}

/** Combined profile of the certified nights before a night. */
export async function profileBefore(
  db: Queryable,
  region: RegionCode,
  endpoint: string,
  snapshotDate: string,
): Promise<{ readonly before: NightProfile; readonly nights: number }> {
  const earlier = await rowsOf<{ profile: NightProfile }>(db, selectBefore, [
    region,
    endpoint,
    snapshotDate,
    nightsBefore,
    profileRules,
  ]);
  return { before: mergeNights(earlier.map(({ profile }) => profile)), nights: earlier.length };
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

const selectBefore = `
  select profile
  from (
    select distinct on (c.snapshot_date) c.snapshot_date, c.profile
    from ops.payload_profile c
    join ops.certified_run r using (run_id)
    where c.region = $1 and c.endpoint = $2 and c.snapshot_date < $3 and c.rules = $5 and c.payloads > 0
    order by c.snapshot_date desc, c.run_id desc
    limit $4
  ) as nights`;

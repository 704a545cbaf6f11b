import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { compareCensuses } from './compare.ts';
import type { Finding } from './finding.ts';
import { mergeNights, type NightCensus } from './night-census.ts';
import { censusRules } from './take-censuses.ts';

/** How the payloads of a night differ from those of the certified nights before it. */
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
  /** Certified nights it was compared with; 0: there was none, and nothing can be said. */
  readonly comparedWith: number;
  readonly findings: readonly Finding[];
}

/** Certified nights a night is compared with: a week has every kind of day. */
const nightsBefore = 7;

/** Nights of a region in a span, the last one where none is given, each by its latest run. */
export async function readDrift(
  db: Askable,
  region: RegionCode,
  { from = null, to = null }: { readonly from?: string | null; readonly to?: string | null },
): Promise<readonly NightDrift[]> {
  const nights = await rowsOf<Omit<NightDrift, 'region' | 'endpoints'>>(db, selectNights, [
    region,
    censusRules,
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
  db: Askable,
  region: RegionCode,
  { runId, snapshotDate }: { readonly runId: number; readonly snapshotDate: string },
): Promise<EndpointDrift[]> {
  const taken = await rowsOf<{ endpoint: string; census: NightCensus }>(
    db,
    'select endpoint, census from ops.payload_census where run_id = $1 and rules = $2 and payloads > 0 order by endpoint',
    [runId, censusRules],
  );
  const drifts: EndpointDrift[] = [];
  for (const { endpoint, census } of taken) {
    const { before, nights } = await censusBefore(db, region, endpoint, snapshotDate);
    const findings = nights === 0 ? [] : compareCensuses(before, census);
    drifts.push({ endpoint, payloads: census.payloads, comparedWith: nights, findings });
  }
  return drifts;
}

/** What the payloads of the certified nights before a night were like, together. */
export async function censusBefore(
  db: Askable,
  region: RegionCode,
  endpoint: string,
  snapshotDate: string,
): Promise<{ readonly before: NightCensus; readonly nights: number }> {
  const earlier = await rowsOf<{ census: NightCensus }>(db, selectBefore, [
    region,
    endpoint,
    snapshotDate,
    nightsBefore,
    censusRules,
  ]);
  return { before: mergeNights(earlier.map(({ census }) => census)), nights: earlier.length };
}

const selectNights = `
  select distinct on (r.snapshot_date) r.snapshot_date as "snapshotDate", r.run_id as "runId", r.status::text,
    r.verdict::text as certificate
  from ops.run r
  where r.region = $1
    and exists (select from ops.payload_census c where c.run_id = r.run_id and c.rules = $2)
    and ($3::date is null or r.snapshot_date >= $3) and ($4::date is null or r.snapshot_date <= $4)
  order by r.snapshot_date desc, r.run_id desc
  limit $5`;

const selectBefore = `
  select census
  from (
    select distinct on (c.snapshot_date) c.snapshot_date, c.census
    from ops.payload_census c
    join ops.run r using (run_id)
    where c.region = $1 and c.endpoint = $2 and c.snapshot_date < $3 and c.rules = $5 and c.payloads > 0
      and r.status = 'published' and r.verdict in ('complete', 'complete_within_tolerance')
    order by c.snapshot_date desc, c.run_id desc
    limit $4
  ) as nights`;

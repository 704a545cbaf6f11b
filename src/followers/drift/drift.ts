import type { Clock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { payloadDrift } from '../../db/tables/index.ts';
import { endpoints } from '../../source/endpoints/index.ts';
import { compareProfiles, type Finding } from './compare.ts';
import { type AnyEndpoint, profileOf, type SampleNeeds, samplePayloads } from './profile.ts';

interface DriftNeeds extends SampleNeeds {
  readonly db: Database;
  readonly clock: Clock;
}

interface Night {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly runId: number;
}

/** Compares a run's payloads with those of the certified night before it that has some. Both are in the archive. */
async function detectDrift(needs: SampleNeeds, night: Night, endpoint: AnyEndpoint) {
  const profile = profileOf(endpoint, await samplePayloads(needs, night.runId, endpoint.name));
  const [earlier] = await camelRows<{ runId: number; date: string }>(needs.db, selectEarlier, [
    night.region,
    night.snapshotDate,
    endpoint.name,
  ]);
  const sample = earlier && profile.payloads > 0 ? await samplePayloads(needs, earlier.runId, endpoint.name) : [];
  const before = profileOf(endpoint, sample);
  const comparedWith = before.payloads > 0 ? earlier!.date : null;
  return { profile, payloads: profile.payloads, comparedWith, findings: compareProfiles(before, profile) };
}

/**
 * Examines recent runs of a region that are finished or held, certified or not. Idempotent and safe in concurrent
 * processes. Returns the number of runs.
 */
export async function takeDrift(needs: DriftNeeds, region: RegionCode, signal?: AbortSignal): Promise<number> {
  const owed = await runsOwed(needs.db, region);
  for (const night of owed) {
    const rows: (typeof payloadDrift.$inferInsert)[] = [];
    for (const endpoint of endpoints.filter((each) => each.region === region)) {
      signal?.throwIfAborted();
      const { payloads, comparedWith, findings } = await detectDrift(needs, night, endpoint);
      // The row of the taxonomy marks a run as examined.
      if (payloads === 0 && endpoint.name !== `${region}-taxonomy`) continue;
      const found = { payloads, comparedWith, findings: comparedWith === null ? [] : findings };
      rows.push({ runId: night.runId, endpoint: endpoint.name, ...found, takenAt: needs.clock.now() });
    }
    await needs.db.orm.insert(payloadDrift).values(rows).onConflictDoNothing();
  }
  return owed.length;
}

/** Whether a run of the region is still to be examined. */
export async function isDriftOwed(db: Queryable, region: RegionCode): Promise<boolean> {
  return (await runsOwed(db, region)).length > 0;
}

const runsOwed = (db: Queryable, region: RegionCode): Promise<Night[]> =>
  camelRows<Night>(
    db,
    `select r.run_id, r.region, r.snapshot_date
     from (
       select * from ops.run
       where region = $1 and status <> 'open' order by observed_at desc, run_id desc limit 10
     ) as r
     where exists (select from ops.payload p where p.run_id = r.run_id)
       and not exists (select from ops.payload_drift d where d.run_id = r.run_id and d.endpoint = $1 || '-taxonomy')
     order by r.run_id`,
    [region],
  );

/** The last certified run before a night with payloads of an endpoint. $1 region, $2 date, $3 endpoint. */
const selectEarlier = `
  select r.run_id, r.snapshot_date as date
  from ops.certified_run r
  where r.region = $1 and r.snapshot_date < $2 and exists (
    select from ops.payload p where p.run_id = r.run_id and p.endpoint = $3 and p.status = 200)
  order by r.snapshot_date desc, r.run_id desc
  limit 1`;

/**
 * Fields of a run's first pages that are no longer read, worst first: pages break the contract, or the mapping misses
 * fields that the certified night before had. Empty without an archive.
 */
export async function findBreakingDrift(
  needs: SampleNeeds,
  run: Night,
  endpoint: AnyEndpoint,
): Promise<readonly Finding[]> {
  const { profile, findings } = await detectDrift(needs, run, endpoint);
  if (profile.payloads === 0) return [];
  // A few unreadable payloads do not stop the run; the certificate of the night takes them into account.
  const isFew = profile.unreadable > 0 && profile.unreadable < profile.payloads / 2;
  return findings.filter(
    ({ kind, severity }) => severity === 'breaking' && (kind === 'reads_less' || (kind === 'unreadable' && !isFew)),
  );
}

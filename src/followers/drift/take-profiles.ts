import type { Clock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { endpoints } from '../../source/endpoints/index.ts';
import { nightProfileOf } from './night-profile.ts';
import { samplePayloads } from './sample.ts';

/** Increased when profiles of the same payloads change; profiles with older rules are then taken again. */
export const profileRules = 4;

/** Number of recent runs that need a profile; older runs are not compared. */
const runsLookedAt = 10;

/** Number of recent runs whose profiles are kept; more than need one, or the same would be taken again and again. */
const runsKept = 60;

interface ProfileNeeds {
  readonly db: Queryable;
  readonly archive: Pick<Archive, 'getAll'>;
  readonly clock: Clock;
}

/**
 * Takes missing profiles of a region's finished or held runs from the archive, certified or not. Idempotent and safe in
 * concurrent processes. Returns the number of profiled runs.
 */
export async function takeProfiles(
  { db, archive, clock }: ProfileNeeds,
  region: RegionCode,
  signal?: AbortSignal,
): Promise<number> {
  const owed = await owedRuns(db, region);
  for (const { runId, snapshotDate } of owed) {
    for (const endpoint of inOrder(region)) {
      signal?.throwIfAborted();
      const sample = await samplePayloads({ db, archive }, runId, endpoint.name);
      if (sample.length === 0 && !isMark(endpoint)) continue;
      await db.query(
        `insert into ops.payload_profile (run_id, endpoint, region, snapshot_date, payloads, profile, rules, taken_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (run_id, endpoint) do update
         set payloads = excluded.payloads, profile = excluded.profile, rules = excluded.rules,
           taken_at = excluded.taken_at`,
        [
          runId,
          endpoint.name,
          region,
          snapshotDate,
          sample.length,
          JSON.stringify(nightProfileOf(endpoint, sample)),
          profileRules,
          clock.now(),
        ],
      );
    }
  }
  if (owed.length > 0) await db.query(forgetOld, [region, runsKept]);
  return owed.length;
}

/** Whether a run of the region lacks a profile. */
export async function isProfileOwed(db: Queryable, region: RegionCode): Promise<boolean> {
  return (await owedRuns(db, region)).length > 0;
}

type AnyEndpoint = (typeof endpoints)[number];

/** The taxonomy's profile marks a run as finished, so it is taken last. */
const isMark = ({ name }: AnyEndpoint): boolean => name.endsWith('-taxonomy');

const inOrder = (region: RegionCode): readonly AnyEndpoint[] =>
  endpoints.filter((each) => each.region === region).sort((one, other) => Number(isMark(one)) - Number(isMark(other)));

async function owedRuns(db: Queryable, region: RegionCode): Promise<{ runId: number; snapshotDate: string }[]> {
  return rowsOf(db, selectOwed, [region, runsLookedAt, profileRules]);
}

const selectOwed = `
  select r.run_id as "runId", r.snapshot_date as "snapshotDate"
  from (
    select run_id, snapshot_date from ops.run
    where region = $1 and status <> 'open' order by observed_at desc, run_id desc limit $2
  ) as r
  where exists (select from ops.payload p where p.run_id = r.run_id)
    and not exists (
      select from ops.payload_profile c
      where c.run_id = r.run_id and c.endpoint = $1 || '-taxonomy' and c.rules = $3)
  order by r.run_id`;

const forgetOld = `
  delete from ops.payload_profile
  where region = $1 and run_id not in (
    select run_id from ops.run where region = $1 order by observed_at desc, run_id desc limit $2)`;

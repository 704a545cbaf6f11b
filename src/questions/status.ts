import { type RegionCode, regionCodes } from '../base/model/index.ts';
import { type KnownListings, readListings } from '../crawl/run/listing-status.ts';
import { readProgress } from '../crawl/run/progress.ts';
import type { Runs } from '../crawl/run/runs.ts';
import type { Database } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import { readFindings } from './certificates.ts';

interface StatusNeeds {
  readonly db: Database;
  readonly runs: Runs;
  readonly now: Date;
  /** Default: all. */
  readonly regions?: readonly RegionCode[];
  readonly listings: KnownListings;
}

/** Open runs, last nights and limits at an instant. */
export type Status = Awaited<ReturnType<typeof readStatus>>;
export type RegionStatus = Awaited<ReturnType<typeof readRegion>>;

export async function readStatus(needs: StatusNeeds) {
  const { db, runs, now, regions = regionCodes, listings } = needs;
  const [counts] = await camelRows<{ workersAlive: number; quarantined: number }>(
    db,
    `select
       (select count(*)::int from ops.worker where alive_until > clock_timestamp()) as workers_alive,
       (select count(*)::int from ops.quarantine) as quarantined`,
  );
  return {
    at: now,
    regions: await Promise.all(regions.map((region) => readRegion(db, runs, region))),
    listings: await readListings(db, now, listings),
    ...counts!,
  };
}

/** Maximum number of missed or changed nights. */
const nightsShown = 5;

/** Dates of the newest nights; a list that may be incomplete is marked. */
export function nightsInWords(nights: readonly string[]): string {
  return nights.join(', ') + (nights.length < nightsShown ? '' : ' and possibly earlier ones');
}

async function readRegion(db: Database, runs: Runs, region: RegionCode) {
  const run = await runs.openOf(region);
  const [ids] = await camelRows<{
    lastNight: number | null;
    held: number | null;
    missedNights: string[];
    changedNights: string[];
  }>(db, selectRegion, [region, nightsShown]);
  const { lastNight, held, missedNights, changedNights } = ids!;
  const shown = held ?? lastNight;
  return {
    region,
    open: run && { run, progress: await readProgress(db, run.runId) },
    /** Last published run. */
    lastNight: lastNight === null ? null : await runs.byId(lastNight),
    /** Later run that is held back by a check. */
    held: held === null ? null : await runs.byId(held),
    /** Findings of the held run or, without one, of the last night. */
    findings: shown === null ? [] : await readFindings(db, shown),
    /** Nights that no longer match their certificates, newest first, `YYYY-MM-DD`. */
    changedNights,
    /** Number of certified nights that are not derived yet, or derived by older rules. */
    nightsToDerive: await countNightsOwed(db, region),
    /** Nights without a run, newest first, `YYYY-MM-DD`. */
    missedNights,
  };
}

/** A held run with a later published night no longer waits for a decision. */
const selectRegion = `
  select
    (select run_id from ops.published_run where region = $1 order by run_id desc limit 1) as last_night,
    (select run_id from ops.run r where region = $1 and status = 'held' and not exists (
       select from ops.published_run later where later.region = r.region and later.observed_at > r.observed_at)
     order by run_id desc limit 1) as held,
    array(select snapshot_date::text from marts.missed_night
      where region = $1 order by snapshot_date desc limit $2) as missed_nights,
    array(select snapshot_date::text from ops.run join ops.certificate using (run_id)
      where region = $1 and is_verified = false order by snapshot_date desc limit $2) as changed_nights`;

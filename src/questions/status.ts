import { type CheckFinding, type ListingName, type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Cost } from '../crawl/ledger/run-cost.ts';
import type { Run, Runs } from '../crawl/ledger/runs.ts';
import { readFindings } from '../crawl/status/certificates.ts';
import { forecastMonth, type MonthForecast } from '../crawl/status/month-forecast.ts';
import { type Progress, readProgress } from '../crawl/status/progress.ts';
import { monthTold } from '../crawl/status/quota-left.ts';
import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import { amountText, costOf, monthOf, type Subscription, unknownSubscription } from '../source/listings/index.ts';

/** Open runs, last nights and limits at an instant. */
export interface Status {
  readonly at: Date;
  readonly regions: readonly RegionStatus[];
  readonly listings: readonly ListingStatus[];
  readonly workersAlive: number;
  /** Quarantined records that no replay has healed. */
  readonly quarantined: number;
}

export interface RegionStatus {
  readonly region: RegionCode;
  readonly open: { readonly run: Run; readonly progress: Progress } | null;
  /** Last published run. */
  readonly lastNight: Run | null;
  /** Later run that is held back by a check. */
  readonly held: Run | null;
  /** Findings of the held run or, without one, of the last night. */
  readonly findings: readonly CheckFinding[];
  /** Nights that no longer match their certificates, newest first, `YYYY-MM-DD`. */
  readonly changedNights: readonly string[];
  /** Number of certified nights that are not derived yet, or derived by older rules. */
  readonly nightsToDerive: number;
  /** Nights without a run, newest first, `YYYY-MM-DD`. */
  readonly missedNights: readonly string[];
}

export interface ListingStatus {
  readonly listing: ListingName;
  /** Requests sent in the current month of the subscription, or in the calendar month (UTC) if its start is unknown. */
  readonly requestsSpent: number;
  /** Requests of other programs with the same key this month, estimated from the upstream's headers. */
  readonly spentByOthers: number;
  /** Sum of both: used requests of the quota, the basis of cost and forecast. */
  readonly requestsUsed: number;
  /** 0: unlimited; null: limited by the upstream's headers only. */
  readonly monthlyQuota: number | null;
  /** Cost of the month: price of the plan and of requests beyond it; null: unknown. */
  readonly cost: Cost | null;
  /** Forecast for the end of the month; null: no requests in the last week. */
  readonly forecast: MonthForecast | null;
  readonly state: 'ok' | 'quota' | 'denied' | 'failing';
  readonly pausedUntil: Date | null;
  readonly lastError: string | null;
  /** From the upstream's last headers. */
  readonly quotaRemaining: number | null;
}

interface StatusNeeds {
  readonly db: Database;
  readonly runs: Runs;
  readonly now: Date;
  /** Listings in use with their quotas. */
  readonly quotas: ReadonlyMap<ListingName, number | null>;
  /** Their subscriptions, if known. */
  readonly subscriptions?: ReadonlyMap<ListingName, Subscription>;
}

export async function readStatus({ db, runs, now, quotas, subscriptions }: StatusNeeds): Promise<Status> {
  const [counts] = await rowsOf<{ workersAlive: number; quarantined: number }>(db, countEverything);
  return {
    at: now,
    regions: await Promise.all(regionCodes.map((region) => readRegion(db, runs, region))),
    listings: await readListings(db, now, quotas, subscriptions),
    ...counts!,
  };
}

/** Names of phases for people. */
export const phaseNames: Readonly<Record<Run['phase'], string>> = {
  taxonomy: 'reading the categories',
  categories: 'reading the pages',
  details: 'reading details',
  finishing: 'certifying and publishing',
  over: 'done',
};

/** Maximum number of missed or changed nights. */
const nightsShown = 5;

/** Dates of the newest nights; a list that may be incomplete is marked. */
export function nightsInWords(nights: readonly string[]): string {
  return nights.join(', ') + (nights.length < nightsShown ? '' : ' and possibly earlier ones');
}

async function readRegion(db: Database, runs: Runs, region: RegionCode): Promise<RegionStatus> {
  const run = await runs.openOf(region);
  const missed = await rowsOf<{ night: string }>(
    db,
    'select snapshot_date as night from ops.missed_night where region = $1 order by snapshot_date desc limit $2',
    [region, nightsShown],
  );
  const lastNight = await readLastNight(db, runs, region);
  const held = await readHeld(db, runs, region);
  const shown = held ?? lastNight;
  const changed = await rowsOf<{ night: string }>(
    db,
    `select snapshot_date as night from ops.run join ops.certificate using (run_id)
     where region = $1 and is_verified = false order by snapshot_date desc limit $2`,
    [region, nightsShown],
  );
  return {
    region,
    open: run && { run, progress: await readProgress(db, run.runId) },
    lastNight,
    held,
    findings: shown ? await readFindings(db, shown.runId) : [],
    changedNights: changed.map(({ night }) => night),
    nightsToDerive: await countNightsOwed(db, region),
    missedNights: missed.map(({ night }) => night),
  };
}

async function readLastNight(db: Database, runs: Runs, region: RegionCode): Promise<Run | null> {
  const [last] = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId" from ops.published_run where region = $1 order by run_id desc limit 1`,
    [region],
  );
  return last ? runs.byId(last.runId) : null;
}

/** A held run with a later published night no longer waits for a decision. */
async function readHeld(db: Database, runs: Runs, region: RegionCode): Promise<Run | null> {
  const [held] = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId" from ops.run r
     where region = $1 and status = 'held' and not exists (
       select from ops.published_run later where later.region = r.region
         and later.observed_at > r.observed_at)
     order by run_id desc limit 1`,
    [region],
  );
  return held ? runs.byId(held.runId) : null;
}

interface ListingRow extends Omit<ListingStatus, 'requestsUsed' | 'monthlyQuota' | 'cost' | 'forecast'> {
  readonly monthEndsAt: Date;
  readonly quotaTold: number | null;
  readonly requestsADay: number | null;
}

/** Status of each listing, in the order of `quotas`. */
export async function readListings(
  db: Database,
  now: Date,
  quotas: ReadonlyMap<ListingName, number | null>,
  subscriptions: ReadonlyMap<ListingName, Subscription> = new Map(),
): Promise<ListingStatus[]> {
  const names = [...quotas.keys()];
  const months = names.map((name) => monthOf(subscriptions.get(name) ?? unknownSubscription, now));
  const rows = await rowsOf<ListingRow>(db, selectListings, [
    names,
    now,
    months.map(({ startsAt }) => startsAt),
    months.map(({ endsAt }) => endsAt),
  ]);
  return rows.map(({ monthEndsAt, requestsADay, quotaTold, ...row }) => {
    const monthlyQuota = quotas.get(row.listing) ?? null;
    const included = monthlyQuota || quotaTold || monthlyQuota;
    const subscription = subscriptions.get(row.listing);
    const requestsUsed = row.requestsSpent + row.spentByOthers;
    const cost = subscription && costOf(subscription, { used: requestsUsed, included });
    const month = {
      now,
      endsAt: monthEndsAt,
      used: requestsUsed,
      included,
      requestsADay,
    };
    return {
      ...row,
      requestsUsed,
      monthlyQuota,
      cost: cost ? { amount: amountText(cost), currency: cost.currency } : null,
      forecast: forecastMonth(month, subscription),
    };
  });
}

const countEverything = `
  select
    (select count(*)::int from ops.worker where alive_until > clock_timestamp()) as "workersAlive",
    (select count(*)::int from ops.quarantine where healed_at is null) as quarantined`;

const selectListings = `
  select
    asked.listing,
    coalesce(
      case when month.is_counted then h.used end,
      (select sum(sent)::bigint from ops.spend s
       where s.listing = asked.listing and s.hour >= asked.month_starts_at and s.hour <= $2),
      0
    ) as "requestsSpent",
    coalesce(case when month.is_counted then h.used_by_others end, 0) as "spentByOthers",
    coalesce(stop.state, 'ok') as state,
    stop.paused_until as "pausedUntil",
    case when stop.state <> 'ok' then h.last_error end as "lastError",
    h.quota_remaining as "quotaRemaining",
    ${monthTold} as "quotaTold",
    coalesce(case when month.is_counted then h.month_ends_at end, asked.month_ends_at) as "monthEndsAt",
    -- Average of the last week, or of fewer days if the data are younger.
    (select sum(units) / greatest(1, least(7, ceil(extract(epoch from $2 - min(hour)) / 86400)))::float8
     from ops.spend s
     where s.listing = asked.listing and s.hour > $2 - interval '7 days' and s.hour <= $2) as "requestsADay"
  from unnest($1::text[], $3::timestamptz[], $4::timestamptz[]) with ordinality as asked (listing, month_starts_at,
    month_ends_at, position)
  left join ops.listing h on h.listing = asked.listing
  left join marts.listing_now stop on stop.listing = asked.listing
  cross join lateral (
    select h.month_limit is not null and h.month_starts_at <= $2 and $2 < h.month_ends_at as is_counted) as month
  order by asked.position`;

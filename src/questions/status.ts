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
import { costOf, monthOf, type Subscription, unitsOf, unknownSubscription } from '../source/listings/index.ts';

/** How things stand at an instant: what is being crawled, what the last nights brought, what the limits are. */
export interface Status {
  readonly at: Date;
  readonly regions: readonly RegionStatus[];
  readonly listings: readonly ListingStatus[];
  readonly workersAlive: number;
  /** Records that could not be understood and have not healed. */
  readonly quarantined: number;
}

export interface RegionStatus {
  readonly region: RegionCode;
  readonly open: { readonly run: Run; readonly progress: Progress } | null;
  /** The last published run. */
  readonly lastNight: Run | null;
  /** A later run that a finding keeps from publication. */
  readonly held: Run | null;
  /** What the checks found in the held run; without one, in the last night. */
  readonly findings: readonly CheckFinding[];
  /** Nights that no longer read as they were certified, newest first, `YYYY-MM-DD`. */
  readonly changedNights: readonly string[];
  /** How many nights are certified and not derived yet, or not by the rules of now. */
  readonly nightsToDerive: number;
  /** Nights that passed while nothing ran, newest first, `YYYY-MM-DD`. */
  readonly missedNights: readonly string[];
}

export interface ListingStatus {
  readonly listing: ListingName;
  /** Requests sent in the current month of the subscription; of one that is not told, in the calendar month (UTC). */
  readonly requestsSpent: number;
  /** What others spent of the month with the same key, as far as the upstream's headers showed it. */
  readonly spentByOthers: number;
  /** Both together: what is used of the quota. Cost and forecast go by it. */
  readonly requestsUsed: number;
  /** 0: unlimited; null: as the upstream's headers say. */
  readonly monthlyQuota: number | null;
  /** What the month has cost: the plan's price, and requests beyond it; null: not known. */
  readonly cost: Cost | null;
  /** What it will have taken when the month ends; null: nothing was asked in the last week. */
  readonly forecast: MonthForecast | null;
  readonly state: 'ok' | 'quota' | 'denied' | 'failing';
  readonly pausedUntil: Date | null;
  readonly lastError: string | null;
  /** As the upstream's headers said last. */
  readonly quotaRemaining: number | null;
}

interface StatusNeeds {
  readonly db: Database;
  readonly runs: Runs;
  readonly now: Date;
  /** Listings that can be asked, with their quotas. */
  readonly quotas: ReadonlyMap<ListingName, number | null>;
  /** What is paid for them, as far as it is told. */
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

/** What a run is doing, for people. */
export const phaseNames: Readonly<Record<Run['phase'], string>> = {
  taxonomy: 'reading the categories',
  listing: 'reading the pages',
  details: 'reading details',
  finishing: 'certifying and publishing',
  over: 'done',
};

/** Of nights that were missed, and of those that have changed. */
const nightsShown = 5;

/** The newest of them by their dates; a list that may have been cut off says so. */
export function nightsInWords(nights: readonly string[]): string {
  return nights.join(', ') + (nights.length < nightsShown ? '' : ' and perhaps earlier ones');
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
    `select run_id as "runId" from ops.run where region = $1 and status = 'published' order by run_id desc limit 1`,
    [region],
  );
  return last ? runs.byId(last.runId) : null;
}

/** Of the held runs only one that no later night has overtaken still waits for somebody. */
async function readHeld(db: Database, runs: Runs, region: RegionCode): Promise<Run | null> {
  const [held] = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId" from ops.run r
     where region = $1 and status = 'held' and not exists (
       select from ops.run later where later.region = r.region and later.status = 'published' and later.observed_at > r.observed_at)
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

/** How each listing stands, in the order of `quotas`. */
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
      cost: cost ? { amount: unitsOf(cost), currency: cost.currency } : null,
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
    -- Of a week, or of as many days as there are: a book of three nights has the pace of three nights.
    (select sum(units) / greatest(1, least(7, ceil(extract(epoch from $2 - min(hour)) / 86400)))::float8
     from ops.spend s
     where s.listing = asked.listing and s.hour > $2 - interval '7 days' and s.hour <= $2) as "requestsADay"
  from unnest($1::text[], $3::timestamptz[], $4::timestamptz[]) with ordinality as asked (listing, month_starts_at, month_ends_at, position)
  left join ops.listing h on h.listing = asked.listing
  left join marts.listing_now stop on stop.listing = asked.listing
  cross join lateral (
    select h.month_limit is not null and h.month_starts_at <= $2 and $2 < h.month_ends_at as is_counted) as month
  order by asked.position`;

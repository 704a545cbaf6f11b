import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

export interface Claim {
  /** How many of the wanted requests the quota still allows. */
  readonly granted: number;
  /** When the period ends. */
  readonly until: Date;
}

/** Takes up to `wanted` requests from a listing's quota; exact across processes: the row is locked until the transaction ends. */
export async function claimQuota(
  sql: Askable,
  listing: string,
  options: { wanted: number; quota: number; now: Date },
): Promise<Claim> {
  const { wanted, quota, now } = options;
  const period = await lockPeriod(sql, listing, now);
  const used = Math.max(period.used, await usedByHeaders(sql, listing, period, now));
  const granted = Math.max(0, Math.min(wanted, quota - used));
  if (granted > 0) {
    await sql.query('update ops.listing_quota set used = used + $2 where listing = $1', [listing, granted]);
  }
  return { granted, until: period.endsAt };
}

/** Moves the end of the current period to where the upstream says it is: subscriptions turn on their own day of the month. */
export async function alignPeriod(
  sql: Askable,
  listing: string,
  options: { resetsAt: Date; now: Date },
): Promise<void> {
  await sql.query(
    `update ops.listing_quota set ends_at = $2
     where listing = $1 and starts_at <= $3 and $3 < ends_at and $2 > $3::timestamptz
       and abs(extract(epoch from ends_at - $2::timestamptz)) > ${toleranceSeconds}`,
    [listing, options.resetsAt, options.now],
  );
}

/** Seconds to go, told with each answer, never give the same instant twice. */
const toleranceSeconds = 60;

/** Others may spend from the same quota. The latest word counts: their counter lags, jumps back, and is late to turn. */
async function usedByHeaders(sql: Askable, listing: string, period: Period, now: Date): Promise<number> {
  const [row] = await rowsOf<{ used: number }>(
    sql,
    `select quota_limit - quota_remaining as used from ops.listing_health
     where listing = $1 and quota_seen_at >= $2 and coalesce(quota_resets_at > $3::timestamptz, true)`,
    [listing, period.startsAt, now],
  );
  return row?.used ?? 0;
}

interface Period {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly used: number;
}

async function lockPeriod(sql: Askable, listing: string, now: Date): Promise<Period> {
  const found = await lockRow(sql, listing);
  if (found.startsAt <= now && now < found.endsAt) return found;

  // The new period begins where a known one ended (a subscription's anniversary), otherwise with the calendar month.
  const month = calendarMonth(now);
  const startsAt = found.endsAt > month.startsAt && found.endsAt <= now ? found.endsAt : month.startsAt;
  const [opened] = await rowsOf<Period>(
    sql,
    `update ops.listing_quota set starts_at = $2, ends_at = $3, used = (
       select coalesce(sum(s.sent), 0) from ops.spend s
       where s.listing = $1 and s.hour >= date_trunc('hour', $2::timestamptz) and s.hour < $3)
     where listing = $1
     returning ${columns}`,
    [listing, startsAt, month.endsAt],
  );
  return opened!;
}

/** The row is made as a period long over: what was spent is counted only under the lock, or two processes would both begin anew. */
async function lockRow(sql: Askable, listing: string): Promise<Period> {
  const select = `select ${columns} from ops.listing_quota where listing = $1 for update`;
  const [found] = await rowsOf<Period>(sql, select, [listing]);
  if (found) return found;
  await sql.query(
    `insert into ops.listing_quota (listing, starts_at, ends_at, used) values ($1, 'epoch', 'epoch', 0) on conflict do nothing`,
    [listing],
  );
  const [made] = await rowsOf<Period>(sql, select, [listing]);
  return made!;
}

const columns = 'starts_at as "startsAt", ends_at as "endsAt", used';

/** Calendar month in UTC. */
function calendarMonth(now: Date): { startsAt: Date; endsAt: Date } {
  const at = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return { startsAt: at(0), endsAt: at(1) };
}

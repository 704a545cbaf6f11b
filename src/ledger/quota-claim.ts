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
  const granted = Math.max(0, Math.min(wanted, quota - period.used));
  if (granted > 0) {
    await sql.query('update ops.listing_quota set used = used + $2 where listing = $1', [listing, granted]);
  }
  return { granted, until: period.endsAt };
}

interface Period {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly used: number;
}

async function lockPeriod(sql: Askable, listing: string, now: Date): Promise<Period> {
  const [found] = await rowsOf<Period>(
    sql,
    `select starts_at as "startsAt", ends_at as "endsAt", used from ops.listing_quota where listing = $1 for update`,
    [listing],
  );
  if (found && found.startsAt <= now && now < found.endsAt) return found;

  // The new period begins where a known one ended (a subscription's anniversary), otherwise with the calendar month.
  const month = calendarMonth(now);
  const startsAt = found && found.endsAt <= now && found.endsAt > month.startsAt ? found.endsAt : month.startsAt;
  const [opened] = await rowsOf<Period>(
    sql,
    `insert into ops.listing_quota (listing, starts_at, ends_at, used)
     select $1, $2, $3, coalesce(sum(sent), 0) from ops.spend where listing = $1 and hour >= date_trunc('hour', $2::timestamptz) and hour < $3
     on conflict (listing) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at, used = excluded.used
     returning starts_at as "startsAt", ends_at as "endsAt", used`,
    [listing, startsAt, month.endsAt],
  );
  return opened!;
}

/** Calendar month in UTC. */
function calendarMonth(now: Date): { startsAt: Date; endsAt: Date } {
  const at = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return { startsAt: at(0), endsAt: at(1) };
}

import type { Askable } from '../db/client.ts';
import type { Quota } from '../gateway/quota.ts';

/** What the headers of an answer said of a listing's quota. */
export interface QuotaTold {
  readonly quota: Quota;
  readonly seenAt: Date;
  /** `SpendGate.unitsGone` at that time. */
  readonly unitsGone: number;
}

/**
 * Corrects a listing's month by what the upstream's headers say of it. What they count beyond ours is somebody else's, and the
 * latest word holds: their counter lags, jumps back, and is late to turn. A smaller limit than ours is another quota, a daily
 * one for instance: its reset is not the end of our month. One that is a day away or less may be a daily one's, however large;
 * that of a month was told before. Some tell a reset that is always as far away: no month is
 * longer than 31 days. What this process has reserved beyond `unitsGone` is ours, and not among what they count.
 */
export async function correctMonth(
  sql: Askable,
  listing: string,
  { quota, seenAt, unitsGone, limit, unitsReserved }: QuotaTold & { limit: number; unitsReserved: number },
): Promise<void> {
  const { resetsAt } = quota;
  const notCounted = unitsReserved - unitsGone;
  await sql.query(
    `update ops.listing_quota set
       used_by_others = greatest(0, $2::bigint - greatest(0, used - $6::bigint)),
       ends_at = case
         when $3::timestamptz > least(ends_at, $4 + interval '${dayAndTolerance}')
           and abs(extract(epoch from ends_at - ${endTold})) > ${toleranceSeconds} then ${endTold}
         else ends_at
       end
     where listing = $1 and starts_at <= $4 and $4 < ends_at and coalesce($5::timestamptz > $4, true)`,
    [listing, quota.limit - quota.remaining, quota.limit >= limit ? resetsAt : null, seenAt, resetsAt, notCounted],
  );
}

/** Seconds to go, told with each answer, never give the same instant twice. */
const toleranceSeconds = 60;

const endTold = `least($3::timestamptz, starts_at + interval '31 days')`;

/** Somewhat more: their day may be one on which the clocks change. */
const dayAndTolerance = '26 hours';

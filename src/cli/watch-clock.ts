import type { Clock } from '../base/clock.ts';
import { Refused } from '../base/errors.ts';
import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Invocation } from './define-verb.ts';

/** Nights start at 02:00, so a smaller clock error does not change the date. */
const mostMs = 60 * 60_000;

/**
 * Nights are dated by the system clock, and a future date would block all nights before it. Throws `Refused` if the
 * system clock and the database's clock differ by more than an hour, and stops the command if that happens later. A
 * clock set by `--now` is not checked.
 */
export async function watchClock(
  sql: Queryable,
  { clock, end }: Pick<Invocation, 'clock' | 'end'>,
  lookEveryMs = 60_000,
): Promise<{ close(): Promise<void> }> {
  if (clock.playedFrom) return { close: async () => undefined };
  const wrong = await look(sql, clock);
  if (wrong) throw wrong;
  let isWrong = false;
  const timer = setInterval(async () => {
    const found = await look(sql, clock).catch(() => null);
    // After a suspend the system clock may need a moment to be corrected.
    if (found && isWrong) end(found);
    isWrong = found !== null;
  }, lookEveryMs).unref();
  return { close: async () => clearInterval(timer) };
}

async function look(sql: Queryable, clock: Clock): Promise<Refused | null> {
  const asked = clock.now();
  const [row] = await rowsOf<{ at: Date }>(sql, 'select clock_timestamp() as at');
  const { at } = row!;
  const received = clock.now();
  // The database read its clock between sending and receiving.
  const aheadMs = asked.getTime() - at.getTime();
  const behindMs = at.getTime() - received.getTime();
  if (Math.max(aheadMs, behindMs) <= mostMs) return null;
  return new Refused(
    78,
    `This machine's clock says ${received.toISOString()}, the database's ${at.toISOString()}. ` +
      'One of them is wrong, and nights could get wrong dates, so nothing is crawled. ' +
      'Correct the clock, best by NTP, and start again.',
  );
}

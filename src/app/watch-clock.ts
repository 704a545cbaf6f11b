import type { Clock } from '../base/clock.ts';
import { type PricebookError, Refused } from '../base/errors.ts';
import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/** Nights start at 02:00 by default, so a smaller clock error does not change the date. */
const maxMs = 60 * 60_000;

/**
 * Nights are dated by the system clock, and a future date would block all nights before it. Throws `Refused` if the
 * system clock and the database's clock differ by more than an hour, and stops the command if that happens later. A
 * clock set by `--now` is not checked.
 */
export async function watchClock(
  sql: Queryable,
  { clock, end }: { readonly clock: Clock; end(reason: PricebookError): void },
  lookEveryMs = 60_000,
): Promise<{ close(): Promise<void> }> {
  if (clock.playedFrom) return { close: async () => undefined };
  const wrong = await check(sql, clock);
  if (wrong) throw wrong;
  let isWrong = false;
  const timer = setInterval(async () => {
    const found = await check(sql, clock).catch(() => null);
    // After a suspend the system clock may need a moment to be corrected.
    if (found && isWrong) end(found);
    isWrong = found !== null;
  }, lookEveryMs).unref();
  return { close: async () => clearInterval(timer) };
}

/** Both clocks, and the least difference between them: the database reads its own between sending and receiving. */
export async function readClockDifference(sql: Queryable, clock: Clock) {
  const asked = clock.now();
  const [row] = await rowsOf<{ at: Date }>(sql, 'select clock_timestamp() as at');
  const { at } = row!;
  const received = clock.now();
  const skewMs = Math.max(0, asked.getTime() - at.getTime(), at.getTime() - received.getTime());
  return { own: received, ofDatabase: at, skewMs };
}

async function check(sql: Queryable, clock: Clock): Promise<Refused | null> {
  const { own, ofDatabase, skewMs } = await readClockDifference(sql, clock);
  if (skewMs <= maxMs) return null;
  return new Refused(
    78,
    `This machine's clock says ${own.toISOString()}, the database's ${ofDatabase.toISOString()}. ` +
      'One of them is wrong, and nights could get wrong dates, so nothing is crawled. ' +
      'Correct the clock, best by NTP, and start again.',
  );
}

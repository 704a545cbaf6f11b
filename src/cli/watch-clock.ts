import type { Clock } from '../base/clock.ts';
import { ClockWrong } from '../base/errors.ts';
import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Invocation } from './define-verb.ts';
import { lookEvery } from './look-every.ts';

/** A night begins at two in the morning: a clock that is wrong by less dates it rightly. */
const mostMs = 60 * 60_000;

/**
 * Nights are dated by the machine's clock, and one of a date to come would keep those before it out of the book. Throws
 * `ClockWrong` where the database's clock says another hour, and ends the command when that comes to be so. A clock
 * that `--now` has set is meant.
 */
export async function watchClock(
  sql: Askable,
  { clock, end }: Pick<Invocation, 'clock' | 'end'>,
  lookEveryMs = 60_000,
): Promise<{ close(): Promise<void> }> {
  if (clock.playedFrom) return { close: async () => undefined };
  const wrong = await look(sql, clock);
  if (wrong) throw wrong;
  let isWrong = false;
  return lookEvery(lookEveryMs, async () => {
    const found = await look(sql, clock).catch(() => null);
    // A machine that has just woken up may set its clock in a moment.
    if (found && isWrong) end(found);
    isWrong = found !== null;
  });
}

async function look(sql: Askable, clock: Clock): Promise<ClockWrong | null> {
  const asked = clock.now();
  const [row] = await rowsOf<{ at: Date }>(sql, 'select clock_timestamp() as at');
  const { at } = row!;
  const received = clock.now();
  // The database read its clock somewhere in between, however long it took to answer.
  const aheadMs = asked.getTime() - at.getTime();
  const behindMs = at.getTime() - received.getTime();
  return Math.max(aheadMs, behindMs) > mostMs ? new ClockWrong(received, at) : null;
}

import { RunRefused } from '../base/errors.ts';
import { type RegionCode, regions } from '../base/model/index.ts';
import { localDate } from '../source/normalise/promotion-date.ts';
import type { CrawlContext } from './context.ts';
import { expireWaiting } from './expire-waiting.ts';
import { forecastRun, planTonight } from './forecast-run.ts';
import { describeForeignRun } from './ledger/ownership.ts';
import type { Run } from './ledger/runs.ts';

export interface Night {
  readonly region: RegionCode;
  readonly maxDetails: number;
  /** `schedule` opens a night once and leaves it alone afterwards; `command` continues it or crawls it again. */
  readonly origin: 'command' | 'schedule';
  /** Whether a command crawls a night again that is certified. */
  readonly again?: boolean;
  /** The instant that says which night it is; now. */
  readonly at?: Date;
}

/**
 * The region's run of the night it is now, or was at `at`: the open one, or a new one with its instant and snapshot
 * date fixed here. A night that is certified is not crawled again unless that is asked for: its run comes back as it
 * is. Null when a schedule finds the night already crawled. A run of an earlier night makes way for a scheduled one
 * once it only waits. One of another upstream or clock is left alone: a schedule goes without (null), a command throws
 * `RunRefused`.
 */
export async function openNight(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'settings'>,
  { region, maxDetails, origin, again = false, at }: Night,
): Promise<Run | null> {
  const { clock, runs, ownership } = context;
  const { timeZone } = regions[region];
  const instant = clock.now();
  const snapshotDate = localDate(at ?? instant, timeZone);
  // Each run has an instant of its own, as long as it lies in its night.
  const now = localDate(instant, timeZone) === snapshotDate ? instant : (at ?? instant);
  if (origin === 'schedule') {
    if (await runs.isNightTaken(region, snapshotDate)) return openAndOurs(context, region);
    await expireWaiting(context, { region, snapshotDate, origin });
  }
  // Before the run is there: afterwards it would count as one that goes on.
  const plan = await planTonight(context, region, { maxDetails, again });
  const { run, isNew } = await runs.open({
    region,
    snapshotDate,
    now,
    maxDetails,
    origin,
    ...(await ownership.identityOn(snapshotDate)),
    leavesCertified: !again,
  });
  if (isNew) await forecastRun(context, run, plan);
  if (isNew || run.status !== 'open' || (await ownership.isOurs(run))) return run;
  if (origin === 'command') throw new RunRefused(describeForeignRun(run));
  ownership.leaveAlone(run);
  return null;
}

async function openAndOurs(
  { runs, ownership }: Pick<CrawlContext, 'runs' | 'ownership'>,
  region: RegionCode,
): Promise<Run | null> {
  const run = await runs.openOf(region);
  return run && (await ownership.isOurs(run)) ? run : null;
}

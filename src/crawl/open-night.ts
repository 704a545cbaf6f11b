import { RunRefused } from '../base/errors.ts';
import { localDate } from '../base/local-date.ts';
import { type RegionCode, regions } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { expireWaiting } from './expire-waiting.ts';
import { planTonight } from './forecast-run.ts';
import { describeForeignRun } from './ledger/ownership.ts';
import type { Run } from './ledger/runs.ts';
import type { NightPlan } from './status/plan-night.ts';

export interface Night {
  readonly region: RegionCode;
  readonly maxDetails: number;
  /** `schedule` opens a night once and never continues it; `command` continues it or crawls it again. */
  readonly origin: 'command' | 'schedule';
  /** Whether a command crawls a certified night again. */
  readonly again?: boolean;
  /** Instant that determines the night; default: now. */
  readonly at?: Date;
  /** Called before the night is opened; without it, its cost is not estimated. */
  readonly onForecast?: ((plan: NightPlan) => void) | undefined;
}

/**
 * Returns the region's run of the night of `at`: the open run, or a new one with its instant and snapshot date. A
 * certified night is returned unchanged unless `again` is set. Returns null if a schedule finds that the night has a
 * run. An idle run of an earlier night is ended first for a scheduled night. A run of another upstream or clock is left
 * alone: a schedule returns null, a command throws `RunRefused`.
 */
export async function openNight(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'settings'>,
  { region, maxDetails, origin, again = false, at, onForecast }: Night,
): Promise<Run | null> {
  const { clock, runs, ownership } = context;
  const { timeZone } = regions[region];
  const instant = clock.now();
  const snapshotDate = localDate(at ?? instant, timeZone);
  // Each run gets its own instant, as long as it lies within the night.
  const now = localDate(instant, timeZone) === snapshotDate ? instant : (at ?? instant);
  if (origin === 'schedule') {
    if (await runs.isNightTaken(region, snapshotDate)) return null;
    await expireWaiting(context, { region, snapshotDate, origin });
  }
  // Planned before the run is opened, which would otherwise count as a run in progress.
  if (onForecast) onForecast(await planTonight(context, region, { maxDetails, again }));
  const { run, isNew } = await runs.open({
    region,
    snapshotDate,
    now,
    maxDetails,
    origin,
    ...(await ownership.identityOn(snapshotDate)),
    leavesCertified: !again,
  });
  if (isNew || run.status !== 'open' || (await ownership.isOurs(run))) return run;
  if (origin === 'command') throw new RunRefused(describeForeignRun(run));
  ownership.leaveAlone(run);
  return null;
}

import { localDate } from '../../base/local-date.ts';
import { describeUpstream, type RegionCode, regions } from '../../base/model/index.ts';
import type { CrawlContext } from '../context.ts';
import { readWorld } from '../world.ts';
import { endIdleRun } from './end.ts';
import { nightDue } from './night-time.ts';
import type { Run } from './runs.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'settings'>;

export interface Night {
  readonly region: RegionCode;
  readonly maxDetails: number;
  /** `schedule` opens a night once and never continues it; `command` continues it or crawls it again. */
  readonly origin: 'command' | 'schedule';
  /** Whether a command crawls a certified night again. */
  readonly again?: boolean;
  /** Instant that determines the night; default: now. */
  readonly at?: Date;
}

/**
 * Returns the region's run of the night of `at`: the open run, or a new one with its instant and snapshot date. A
 * certified night is returned unchanged unless `again` is set. Returns null if a schedule finds that the night has a
 * run. For a scheduled night, an idle run of an earlier night is ended first.
 */
export async function openNight(
  context: Needs,
  { region, maxDetails, origin, again = false, at }: Night,
): Promise<Run | null> {
  const { db, clock, runs } = context;
  const { timeZone } = regions[region];
  const instant = clock.now();
  const snapshotDate = localDate(at ?? instant, timeZone);
  // Each run gets its own instant, as long as it lies within the night.
  const now = localDate(instant, timeZone) === snapshotDate ? instant : (at ?? instant);
  if (origin === 'schedule') {
    if (await runs.isNightTaken(region, snapshotDate)) return null;
    await endIdleRun(context, region);
  }
  const world = await readWorld(db);
  return runs.open({
    region,
    snapshotDate,
    now,
    maxDetails,
    origin,
    upstream: world && describeUpstream(world, snapshotDate),
    leavesCertified: !again,
  });
}

/**
 * Opens a region's night if it is due and has no run. The ledger allows one scheduled run per region and date. Nights
 * that passed while no process ran are missed, and not crawled later. Returns the run if it was opened.
 */
export async function openDueNight(context: Needs, region: RegionCode): Promise<Run | null> {
  const { clock, settings } = context;
  if (nightDue(region, clock.now(), settings.nightAt[region]) === null) return null;
  return openNight(context, { region, maxDetails: settings.maxDetails, origin: 'schedule' });
}

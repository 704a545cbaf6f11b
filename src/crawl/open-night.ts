import type { Run } from '../ledger/runs.ts';
import { type RegionCode, regions } from '../model/index.ts';
import { localDate } from '../normalise/promotion-date.ts';
import { pagesPerBatch } from '../plan/paging.ts';
import type { CrawlContext } from './context.ts';
import { expireWaiting } from './expire-waiting.ts';

export interface Night {
  readonly region: RegionCode;
  readonly maxDetails: number;
  /** `schedule` opens a night once and leaves it alone afterwards; `command` continues it or crawls it again. */
  readonly origin: 'command' | 'schedule';
}

/**
 * The region's run of the night it is now: the open one, or a new one with its instant and snapshot date fixed here.
 * Null when a schedule finds the night already crawled. A run of an earlier night makes way for a scheduled one once it only waits.
 */
export async function openNight(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'settings'>,
  { region, maxDetails, origin }: Night,
): Promise<Run | null> {
  const { clock, runs, settings } = context;
  const now = clock.now();
  const snapshotDate = localDate(now, regions[region].timeZone);
  if (origin === 'schedule') {
    if (await runs.isNightTaken(region, snapshotDate)) return runs.openOf(region);
    await expireWaiting(context, region, snapshotDate);
  }
  const { run } = await runs.open({
    region,
    snapshotDate,
    now,
    maxDetails,
    pagesPerBatch: pagesPerBatch(settings.requestsPerSecond),
    origin,
  });
  return run;
}

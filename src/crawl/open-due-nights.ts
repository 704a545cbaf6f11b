import { localDate } from '../base/local-date.ts';
import { type RegionCode, regionCodes, regions } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import type { Run } from './ledger/runs.ts';
import { openNight } from './open-night.ts';
import { datesBetween, localTime } from './plan/local-time.ts';

/** Local time at which a region's night begins: after the supermarket's midnight changes, before people shop. */
export const nightBeginsAt = { hour: 2, minute: 0 } as const;

/** Date of the night that is due in a region: today once the local start time has passed, null before. */
export function nightDue(region: RegionCode, now: Date): string | null {
  const { timeZone } = regions[region];
  const { hour, minute } = localTime(now, timeZone);
  const isDue = hour > nightBeginsAt.hour || (hour === nightBeginsAt.hour && minute >= nightBeginsAt.minute);
  return isDue ? localDate(now, timeZone) : null;
}

/**
 * Opens each due night that has no run. The ledger allows one scheduled run per region and date. Nights that passed
 * while no process ran are recorded as missed and not crawled later. Returns the runs that were opened.
 */
export async function openDueNights(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'settings'>,
): Promise<Run[]> {
  const { clock, log, runs, settings } = context;
  const opened: Run[] = [];
  for (const region of regionCodes) {
    const due = nightDue(region, clock.now());
    if (due === null) continue;
    // Also if the night is already open: commands open nights without recording missed ones.
    const last = await runs.lastNightBefore(region, due);
    if (last !== null) await runs.recordMissed(region, datesBetween(last, due), clock.now());
    const run = await openNight(context, {
      region,
      maxDetails: settings.maxDetails,
      origin: 'schedule',
      onForecast: ({ requests, seconds, deferredDetails, notes }) =>
        log.info({ region, requests, seconds, deferredDetails, notes }, 'cost of the night estimated'),
    });
    if (run) opened.push(run);
  }
  return opened;
}

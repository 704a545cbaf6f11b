import { regionCodes } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import type { Run } from './ledger/runs.ts';
import { nightDue } from './night-due.ts';
import { openNight } from './open-night.ts';
import { datesBetween } from './plan/local-time.ts';

/**
 * Catches what a scheduler can lose: a night that is due and has no run is opened now, once (the ledger allows one
 * scheduled run per region and date); nights that passed while nothing ran are recorded as missed, not made up.
 * Returns the runs it opened, or found open in their place.
 */
export async function openDueNights(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'settings'>,
): Promise<Run[]> {
  const { clock, runs, settings } = context;
  const opened: Run[] = [];
  for (const region of regionCodes) {
    const due = nightDue(region, clock.now());
    if (due === null) continue;
    // Also where somebody was quicker: the queue's clock, or a person, opens a night without looking back.
    const last = await runs.lastNightBefore(region, due);
    if (last !== null) await runs.recordMissed(region, datesBetween(last, due), clock.now());
    if (await runs.isNightTaken(region, due)) continue;
    const run = await openNight(context, { region, maxDetails: settings.maxDetails, origin: 'schedule' });
    if (run) opened.push(run);
  }
  return opened;
}

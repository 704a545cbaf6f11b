import { setTimeout as sleep } from 'node:timers/promises';
import { runJobs } from '../../jobs/index.ts';
import { setSchedule } from '../../jobs/schedule.ts';
import type { Scheduler } from '../app/compose.ts';
import { limitLines } from '../base/limited-lines.ts';
import { dispatch } from '../crawl/dispatch.ts';
import { openDueNights } from '../crawl/open-due-nights.ts';
import { orInterrupted } from './or-interrupted.ts';

/** Same interval as the job `watch-runs`, which this loop replaces if the queue loses its scheduler. */
const watchEveryMs = 30_000;

/** Keeps the schedule in the queue, opens due nights and enqueues forgotten work until stopped. Does no crawling. */
export async function keepSchedule(
  { context }: { readonly context: Scheduler['context'] },
  signal: AbortSignal,
): Promise<void> {
  const { log, runs, alerts } = context;
  const warn = limitLines((fields, message) => log.warn(fields, message));
  const lookAfter = async () => {
    await setSchedule(context);
    await openDueNights(context);
    for (const run of await runs.allOpen()) await dispatch(context, runJobs, run.runId);
    // Workers do this as well, but only this process can report that no worker is alive.
    await alerts?.look(signal);
  };
  while (!signal.aborted) {
    try {
      await orInterrupted(lookAfter(), signal);
    } catch (error) {
      // A server outage is temporary; the next round catches up.
      warn({ err: error }, 'the schedule could not be checked; trying again');
    }
    await sleep(watchEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { runJobs } from '../../jobs/index.ts';
import { setSchedule } from '../../jobs/schedule.ts';
import { limitLines } from '../base/limited-lines.ts';
import { orInterrupted } from '../crawl/or-interrupted.ts';
import { watch } from '../crawl/run/watchdog.ts';
import type { Scheduler } from './compose.ts';

/** Same interval as the job `watch-runs`, which this loop replaces if the queue loses its scheduler. */
const watchEveryMs = 30_000;

/** Keeps the schedule in the queue, opens due nights and enqueues forgotten work until stopped. Does no crawling. */
export async function keepSchedule(
  { context }: { readonly context: Scheduler['context'] },
  signal: AbortSignal,
): Promise<void> {
  const { log, alerts } = context;
  const warn = limitLines((fields, message) => log.warn(fields, message));
  const lookAfter = async () => {
    await setSchedule(context);
    // Workers look for alerts as well, but only this process can report that no worker is alive.
    await watch(context, runJobs, [async () => alerts?.(signal)]);
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

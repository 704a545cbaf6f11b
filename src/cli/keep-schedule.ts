import { setTimeout as sleep } from 'node:timers/promises';
import { runJobs } from '../../jobs/index.ts';
import { setSchedule } from '../../jobs/schedule.ts';
import type { Scheduler } from '../app/compose.ts';
import { limitLines } from '../base/limited-lines.ts';
import { dispatch } from '../crawl/dispatch.ts';
import { openDueNights } from '../crawl/open-due-nights.ts';
import { orInterrupted } from './or-interrupted.ts';

/** As often as the heartbeat job, which it replaces when the queue's own scheduler is lost. */
const watchEveryMs = 30_000;

/**
 * Keeps the schedule set, also where the queue loses it, and the nights on time, doing none of their work, until told
 * to stop.
 */
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
    // Workers do it too; but that none is alive, only this process can tell.
    await alerts?.look(signal);
  };
  while (!signal.aborted) {
    try {
      await orInterrupted(lookAfter(), signal);
    } catch (error) {
      // A server that is away comes back; the next round sees to what was missed.
      warn({ err: error }, 'the nights could not be looked after; trying again');
    }
    await sleep(watchEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

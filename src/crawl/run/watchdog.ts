import { and, eq, gt, or, sql } from 'drizzle-orm';
import { stop } from '../../db/tables/listings.ts';
import type { CrawlContext } from '../context.ts';
import { dispatch, type RunJobs } from './dispatch.ts';
import { openDueNight } from './open.ts';
import type { OpenWork } from './runs.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'queues' | 'settings' | 'keyOf'>;

/**
 * The watchdog: enqueues the next step of every open run that nothing holds back, opens due nights, and does `others`.
 * The queues may lose anything, because whatever they lose is enqueued again here. A step that fails does not keep the
 * others from being done; the first failure is thrown at the end.
 */
export async function watch(
  context: Needs,
  jobs: RunJobs,
  others: readonly (() => Promise<unknown>)[] = [],
): Promise<void> {
  const open = await context.runs.allOpen();
  const steps = [
    ...open.map((run) => async () => {
      if (!(await isListingStopped(context, run))) await dispatch(context, jobs, run.runId);
    }),
    ...context.settings.regions.map((region) => async () => {
      const run = await openDueNight(context, region);
      if (run) await dispatch(context, jobs, run.runId);
    }),
    ...others,
  ];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Whether a stop on its listing or its key holds a run back. Finishing sends no requests. */
async function isListingStopped({ db, keyOf }: Needs, { kind, phase }: OpenWork): Promise<boolean> {
  if (phase === 'finishing') return false;
  const listing = kind === 'stores' ? 'stores' : 'grocery';
  const isOfListing = and(eq(stop.scope, 'listing'), eq(stop.scopeId, listing));
  const isOfKey = and(eq(stop.scope, 'key'), eq(stop.scopeId, keyOf(listing)));
  return (await db.orm.$count(stop, and(or(isOfListing, isOfKey), gt(stop.until, sql`ops.clock()`)))) > 0;
}

import { z } from 'zod';
import { openDueNights } from '../src/crawl/open-due-nights.ts';
import { defineJob } from './context.ts';

/** The heartbeat: moves every open run on, opens a night that was due and never began, records those that were missed. */
export const watchRuns = defineJob({
  name: 'watch-runs',
  payload: z.object({}),
  key: () => 'watch-runs',

  async run(_, context) {
    // Those that are open first: a night that cannot be opened must not hold them up.
    for (const run of await context.runs.allOpen()) await context.dispatch(run.runId);
    for (const run of await openDueNights(context)) await context.dispatch(run.runId);
  },
});

import { z } from 'zod';
import { RegionCode } from '../src/base/model/index.ts';
import { nightDue } from '../src/crawl/open-due-nights.ts';
import { openNight } from '../src/crawl/open-night.ts';
import { defineJob } from './context.ts';

/** Opens the region's run of tonight at the scheduled time; only one process succeeds. */
export const startCrawl = defineJob({
  name: 'start-crawl',
  payload: z.object({ region: RegionCode }),
  key: ({ region }) => `start-${region}`,

  async run({ region }, context) {
    // A job that was due while nothing ran may start late, before the next night is due; the watchdog opens that night.
    if (nightDue(region, context.clock.now()) === null) return;
    const run = await openNight(context, { region, maxDetails: context.settings.maxDetails, origin: 'schedule' });
    if (run) await context.dispatch(run.runId);
  },
});

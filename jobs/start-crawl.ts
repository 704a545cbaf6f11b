import { z } from 'zod';
import { RegionCode } from '../src/base/model/index.ts';
import { nightDue } from '../src/crawl/night-due.ts';
import { openNight } from '../src/crawl/open-night.ts';
import { defineJob } from './context.ts';

/** The clock struck: opens the region's run of tonight, once, whoever else tries. */
export const startCrawl = defineJob({
  name: 'start-crawl',
  payload: z.object({ region: RegionCode }),
  key: ({ region }) => `start-${region}`,

  async run({ region }, context) {
    // A turn that fell while nothing ran comes late, perhaps before the next night is due: the watch opens that one in
    // its time.
    if (nightDue(region, context.clock.now()) === null) return;
    const run = await openNight(context, { region, maxDetails: context.settings.maxDetails, origin: 'schedule' });
    if (run) await context.dispatch(run.runId);
  },
});

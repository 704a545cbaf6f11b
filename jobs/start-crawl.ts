import { z } from 'zod';
import { openNight } from '../src/crawl/open-night.ts';
import { RegionCode } from '../src/model/index.ts';
import { defineJob } from './context.ts';

/** The clock struck: opens the region's run of tonight, once, whoever else tries. */
export const startCrawl = defineJob({
  name: 'start-crawl',
  payload: z.object({ region: RegionCode }),
  key: ({ region }) => `start-${region}`,

  async run({ region }, context) {
    const run = await openNight(context, { region, maxDetails: context.settings.maxDetails, origin: 'schedule' });
    if (run) await context.dispatch(run.runId);
  },
});

import { z } from 'zod';
import { RegionCode } from '../src/model/index.ts';
import { defineJob } from './context.ts';

/** Counts what a sample of a night's archived payloads is made of, so that a change of their shape is seen. Asks nothing. */
export const censusPayloads = defineJob({
  name: 'census-payloads',
  payload: z.object({ region: RegionCode }),
  key: ({ region }) => `census-${region}`,

  async run({ region }, { takeCensuses, log }, signal) {
    const runs = await takeCensuses(region, signal);
    if (runs > 0) log.info({ region, runs }, 'payloads counted');
  },
});

import { z } from 'zod';
import { type RegionCode, regionCodes } from '../src/base/model/index.ts';
import { workOnRun } from '../src/crawl/work-on-run.ts';
import { defineJob } from './context.ts';

/**
 * Works on a run of a region until nothing is left to fetch. A queue for each region, with one job at a time in each
 * process: so every process takes one of a run's jobs, and a job is no more than an invitation to work on the run.
 */
function crawlRunOf(region: RegionCode) {
  return defineJob({
    name: `crawl-${region}`,
    payload: z.object({ run: z.int(), worker: z.string() }),
    key: ({ run, worker }) => `run-${run}-${worker}`,

    async run({ run }, context, signal) {
      await workOnRun(context, run, signal);
    },
  });
}

export const crawlRun = Object.fromEntries(regionCodes.map((region) => [region, crawlRunOf(region)])) as Readonly<
  Record<RegionCode, ReturnType<typeof crawlRunOf>>
>;

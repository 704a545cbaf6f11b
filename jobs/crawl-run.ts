import { z } from 'zod';
import { type RegionCode, regionCodes } from '../src/base/model/index.ts';
import { crawlNight } from '../src/crawl/night.ts';
import { defineJob, leaveOnError } from './context.ts';

/**
 * Works on a run of a region until nothing is left to fetch. Each region has its own queue, and each process runs one
 * of its jobs at a time. A job carries no units: it only makes a process claim them from the ledger.
 */
function crawlRunOf(region: RegionCode) {
  return defineJob({
    name: `crawl-${region}`,
    data: z.object({ run: z.int(), worker: z.string() }),
    key: ({ run, worker }) => `run-${run}-${worker}`,

    async run({ run: runId }, context, signal) {
      const run = await context.openRun(runId);
      if (!run) return;
      const isDone = await leaveOnError(context, run, signal, () => crawlNight(context, runId, signal));
      if (isDone && !signal.aborted) await context.dispatch(runId);
    },
  });
}

export const crawlRun = Object.fromEntries(regionCodes.map((region) => [region, crawlRunOf(region)])) as Readonly<
  Record<RegionCode, ReturnType<typeof crawlRunOf>>
>;

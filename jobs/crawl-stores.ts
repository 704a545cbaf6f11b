import { z } from 'zod';
import { findOpenStores, openStores } from '../src/crawl/run/side-runs.ts';
import { refreshStores } from '../src/publish/publish-stores.ts';
import { defineJob, leaveOnError } from './context.ts';

/** Crawls STORE_AREAS with the store locator: the given run, or for null (the schedule) the open one or a new one. */
export const crawlStores = defineJob({
  name: 'crawl-stores',
  data: z.object({ run: z.int().nullable() }),
  key: ({ run }) => `stores-${run ?? 'new'}`,

  async run({ run: runId }, context, signal) {
    if (!context.storeLocator.isConfigured) return;
    const run = runId === null ? await openStores(context, 'schedule') : await findOpenStores(context, runId);
    if (run) await leaveOnError(context, run, signal, () => refreshStores(context, run, signal));
  },
});

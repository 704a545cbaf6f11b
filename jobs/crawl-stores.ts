import { z } from 'zod';
import { openStoreRefresh } from '../src/crawl/open-store-refresh.ts';
import { refreshStores } from '../src/crawl/refresh-stores.ts';
import { defineJob } from './context.ts';

/**
 * Crawls STORE_AREAS with the store locator: the given refresh, or for null (the schedule) the open one or a new one.
 */
export const crawlStores = defineJob({
  name: 'crawl-stores',
  payload: z.object({ refresh: z.int().nullable() }),
  key: ({ refresh }) => `stores-${refresh ?? 'new'}`,

  async run({ refresh }, context, signal) {
    if (!context.storeLocator.isConfigured) return;
    const refreshId = refresh ?? (await openStoreRefresh(context, 'schedule'))?.refreshId;
    if (refreshId === undefined) return;
    await refreshStores(context, refreshId, signal);
  },
});

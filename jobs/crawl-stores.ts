import { z } from 'zod';
import { openStoreRefresh } from '../src/crawl/open-store-refresh.ts';
import { refreshStores } from '../src/crawl/refresh-stores.ts';
import { defineJob } from './context.ts';

/** Walks over STORE_AREAS with the store locator: the refresh that is open, or when the clock struck (null) a new one. */
export const crawlStores = defineJob({
  name: 'crawl-stores',
  payload: z.object({ refresh: z.int().nullable() }),
  key: ({ refresh }) => `stores-${refresh ?? 'new'}`,

  async run({ refresh }, context, signal) {
    if (!context.storeLocator.isConfigured) return;
    const refreshId = refresh ?? (await openStoreRefresh(context, 'schedule'))?.refreshId;
    if (refreshId === undefined) return;
    const key = `stores-${refreshId}`;
    // Delivered twice, or gone on with by the heartbeat: whoever holds it goes on.
    if (context.inHand.has(key)) return;
    context.inHand.add(key);
    await refreshStores(context, refreshId, signal).finally(() => context.inHand.delete(key));
  },
});

import type { CrawlContext } from '../crawl/context.ts';
import { openStoreRefresh } from '../crawl/open-store-refresh.ts';
import { refreshStores } from '../crawl/refresh-stores.ts';
import { searchNight, searchProducts } from '../crawl/search-products.ts';

const keywords = ['bread', 'coffee', 'milk'];

/**
 * Searches a simulated shop for a few keywords and, once, for its stores, so that the pages of a new book have content.
 */
export async function searchAndLocate(context: CrawlContext, signal: AbortSignal): Promise<void> {
  const { clock, searches, settings, stores, storeLocator } = context;
  const night = searchNight('uk', clock.now());
  await searches.plan(night, [...settings.searchKeywords, ...keywords]);
  await searchProducts(context, night, signal);
  if (!storeLocator.isConfigured || (await stores.lastPublished()) !== null) return;
  const refresh = await openStoreRefresh(context, 'schedule');
  if (refresh !== null) await refreshStores(context, refresh.refreshId, signal);
}

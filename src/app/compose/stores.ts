import { describeWorld, type World } from '../../base/model/index.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import { createKeywordSearches } from '../../crawl/ledger/keyword-searches.ts';
import { createStoreRefreshes } from '../../crawl/ledger/store-refreshes.ts';
import type { Base } from './data.ts';

/** Ledgers of stores and searches, and the store locator. */
export function composeStores(
  { config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>,
  world: World,
): Pick<CrawlContext, 'stores' | 'storeLocator' | 'searches'> {
  const { baseUrl, host } = config.listings.stores;
  return {
    stores: createStoreRefreshes(db),
    searches: createKeywordSearches(db),
    storeLocator: {
      isConfigured: baseUrl !== null,
      areas: config.storeAreas.areas,
      areasText: config.storeAreas.text,
      upstream: world.kind === 'simulated' ? describeWorld(world) : `stores at ${baseUrl}, host ${host}`,
      clockKind: clock.playedFrom ? 'played' : 'machine',
    },
  };
}

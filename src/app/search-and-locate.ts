import type { Clock } from '../base/clock.ts';
import type { CrawlContext } from '../crawl/context.ts';
import { lastStores, openSearches, openStores } from '../crawl/run/side-runs.ts';
import type { Database } from '../db/client.ts';
import { refreshStores } from '../publish/publish-stores.ts';
import { searchKeywords } from '../publish/save-search.ts';

const keywords = ['bread', 'coffee', 'milk'];

/**
 * Searches a simulated shop for a few keywords and, once, for its stores, so that the pages of a new book have content.
 */
export async function searchAndLocate(context: CrawlContext, signal: AbortSignal): Promise<void> {
  const { db, settings, storeLocator } = context;
  const searches = await openSearches(context, [...settings.searchKeywords, ...keywords], 'schedule');
  if (searches) await searchKeywords(context, searches, signal);
  if (!storeLocator.isConfigured || (await lastStores(db.orm)) !== null) return;
  await refreshStores(context, await openStores(context, 'schedule'), signal);
}

/**
 * Adds exchange rates for the nights of a simulated book, which are invented like its prices: around 0.86 pounds for a
 * euro. Loaded rates are kept.
 */
export async function inventRates({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  await db.query(
    `insert into ops.fx_rate (base, quote, on_date, rate, source, loaded_at)
     select 'EUR', 'GBP', night, round((0.862 + 0.008 * sin((night - date '2026-01-01') / 11.0))::numeric, 4),
       'invented', $1
     from (select distinct snapshot_date as night from ops.run) as nights
     on conflict do nothing`,
    [clock.now()],
  );
}

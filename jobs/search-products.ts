import { openSearches } from '../src/crawl/run/side-runs.ts';
import { searchKeywords } from '../src/publish/save-search.ts';
import { defineChore, leaveOnError } from './context.ts';

/** Searches for each of SEARCH_KEYWORDS once a night, and publishes the first page of results. */
export const searchProducts = defineChore('search-products', async (context, signal) => {
  const run = await openSearches(context, context.settings.searchKeywords, 'schedule');
  if (run) await leaveOnError(context, run, signal, () => searchKeywords(context, run, signal));
});

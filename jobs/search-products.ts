import { z } from 'zod';
import { RegionCode } from '../src/base/model/index.ts';
import { searchProducts as searchKeywords, searchNight } from '../src/crawl/search-products.ts';
import { defineJob } from './context.ts';

/** Searches for each of SEARCH_KEYWORDS once a night and stores the first page of results. */
export const searchProducts = defineJob({
  name: 'search-products',
  payload: z.object({ region: RegionCode }),
  key: ({ region }) => `search-${region}`,

  async run({ region }, context, signal) {
    const night = searchNight(region, context.clock.now());
    await context.searches.plan(night, context.settings.searchKeywords);
    await searchKeywords(context, night, signal);
  },
});

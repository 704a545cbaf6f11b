import { z } from 'zod';
import { probeListing } from '../src/crawl/probe-listings.ts';
import { defineJob } from './context.ts';

/** Probes each configured listing with one request. */
export const probeListings = defineJob({
  name: 'probe-listings',
  payload: z.object({}),
  key: () => 'probe-listings',

  async run(_, context, signal) {
    for (const listing of context.probedListings) {
      const { outcome, said } = await probeListing(context, listing, signal);
      if (outcome !== 'answered') context.log.warn({ listing, outcome, said }, 'a listing did not answer its probe');
    }
  },
});

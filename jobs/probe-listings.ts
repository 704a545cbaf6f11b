import { z } from 'zod';
import { probeListing } from '../src/crawl/probe-listings.ts';
import { defineJob } from './context.ts';

/**
 * Asks every listing that is configured whether it is there, for one request each, and the old hosts of those that
 * moved whether they are still billed.
 */
export const probeListings = defineJob({
  name: 'probe-listings',
  payload: z.object({}),
  key: () => 'probe-listings',

  async run(_, context, signal) {
    for (const listing of context.probedListings) {
      const { outcome, said } = await probeListing(context, listing, signal);
      if (outcome !== 'answered') context.log.warn({ listing, outcome, said }, 'a listing did not answer its probe');
    }
    await context.askReplacedHosts(signal);
  },
});

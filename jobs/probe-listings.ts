import { probeListing } from '../src/crawl/probe.ts';
import { defineChore } from './context.ts';

/** Probes each configured listing with one request. */
export const probeListings = defineChore('probe-listings', async (context, signal) => {
  for (const listing of context.probedListings) {
    const probe = await probeListing(context, listing, signal);
    if (probe.outcome !== 'answered') context.log.warn(probe, 'a listing did not answer its probe');
  }
});

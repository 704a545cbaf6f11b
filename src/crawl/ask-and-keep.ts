import pLimit, { type LimitFunction } from 'p-limit';
import type { ListingName } from '../model/index.ts';

/** Runs work that asks a listing and stores what it answers. */
export type AskAndKeep = <Result>(listing: ListingName, work: () => Promise<Result>) => Promise<Result>;

/**
 * Of a listing, no more such work at once than requests may be in flight. An answer that waits for the archive or the database
 * keeps its place, so a process that dies loses no more than it could have in flight.
 */
export function createAskAndKeep(concurrency: number): AskAndKeep {
  const limits = new Map<ListingName, LimitFunction>();
  return (listing, work) => {
    let limit = limits.get(listing);
    if (!limit) {
      limit = pLimit(concurrency);
      limits.set(listing, limit);
    }
    return limit(work);
  };
}

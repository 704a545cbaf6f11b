import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { addressAfter, type ListingAddress, type ListingMove, readMoves } from './listing-moves.ts';

/**
 * Time for which a process relies on the moves it has read. A move takes effect later than this after it is written, so
 * that all processes know it by then and switch at the same instant.
 */
const reliableMs = 1_000;
/** Delay between writing a move and its effect. */
export const noticeMs = 2_500;

/** Current address of each listing, identical in all processes that use the database. */
interface AddressBook {
  of(listing: ListingName, configured: ListingAddress): Promise<ListingAddress>;
}

export function createAddressBook(sql: Queryable): AddressBook {
  let moves: readonly ListingMove[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  /** The age counts from before the query, because a move written during the query may be missed. */
  async function read(): Promise<void> {
    const askedAtMs = performance.now();
    moves = await readMoves(sql);
    readAtMs = askedAtMs;
  }

  function renew(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    async of(listing, configured) {
      const ageMs = () => performance.now() - readAtMs;
      // If the read in progress began too long ago, start another.
      for (let tries = 0; ageMs() > reliableMs && tries < 2; tries += 1) await renew();
      // Refresh early in the background, so that frequent callers never wait. A failed refresh is repeated when needed.
      if (ageMs() > reliableMs / 2) renew().catch(() => undefined);
      return addressAfter(moves, listing, configured, performance.now() - readAtMs);
    },
  };
}

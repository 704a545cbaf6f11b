import type { ListingName } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { addressAfter, type ListingAddress, type ListingMove, readMoves } from './listing-moves.ts';

/**
 * How long a process may rely on what it read of the moves. A move comes into force later than that after it is
 * written, so that every process knows of it by then and all change at the same instant.
 */
const reliableMs = 1_000;
/** From the writing of a move until it is in force. */
export const noticeMs = 2_500;

/** Where listings are asked at this moment, as all processes of the database have it. */
interface AddressBook {
  of(listing: ListingName, configured: ListingAddress): Promise<ListingAddress>;
}

export function createAddressBook(sql: Askable): AddressBook {
  let moves: readonly ListingMove[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  /** The instant before the question counts: what is written while it is answered may be missed. */
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
      // One that was begun too long ago to rely on is followed by another.
      for (let tries = 0; ageMs() > reliableMs && tries < 2; tries += 1) await renew();
      // Whoever asks all the time never waits for it. What fails is tried again when it is needed.
      if (ageMs() > reliableMs / 2) renew().catch(() => undefined);
      return addressAfter(moves, listing, configured, performance.now() - readAtMs);
    },
  };
}

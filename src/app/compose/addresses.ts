import type { ListingName } from '../../base/model/index.ts';
import { addressAfter, type ListingMove, readMoves } from '../../crawl/moves.ts';
import type { GatewayAddress } from '../../gateway/attempt.ts';
import { parseBaseUrl } from '../config/base-url.ts';
import type { Config } from '../config.ts';
import type { Base } from './data.ts';

/** Time for which a process relies on the moves it has read: so long after a move, all processes use the new host. */
export const movesReliableMs = 1_000;

/** Current address of each listing: as configured, or after recorded moves. */
export function composeAddresses({ config, db }: { config: Pick<Config, 'listings'>; db: Base['db'] }) {
  let moves: Promise<readonly ListingMove[]> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;

  /** The age counts from before the query, because a move written during the query may be missed. */
  function readRecent(): Promise<readonly ListingMove[]> {
    if (moves && performance.now() - readAtMs < movesReliableMs) return moves;
    readAtMs = performance.now();
    const reading = readMoves(db);
    moves = reading;
    // A failed read is repeated when it is needed again.
    reading.catch(() => {
      if (moves === reading) moves = null;
    });
    return reading;
  }

  return async (listing: ListingName): Promise<GatewayAddress> => {
    const { baseUrl, host, local } = config.listings[listing];
    if (baseUrl === null) return { baseUrl, host, local };
    const address = addressAfter(await readRecent(), listing, { baseUrl, host });
    return { ...address, local: address.baseUrl === baseUrl ? local : parseBaseUrl(address.baseUrl).local };
  };
}

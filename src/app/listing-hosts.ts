import { addressAfter, type ListingMove, readConfirmedHosts, readMoves } from '../crawl/ledger/listing-moves.ts';
import { type HostStatus, hostStatusOf, type Listing, listings as registry } from '../source/listings/index.ts';
import type { Base } from './compose/data.ts';
import { askedListings } from './config/asked-listings.ts';

/** Where a listing is asked, its moves included. */
export interface ListingHost {
  readonly listing: Listing;
  readonly host: string;
  /** null: the simulator that the program starts. */
  readonly baseUrl: string | null;
  readonly hostStatus: HostStatus;
  /** The move that led to the present host; null: it is asked where it is configured. */
  readonly move: ListingMove | null;
}

/** The hosts of the listings that are asked. Asks nothing of the gateway. */
export async function readListingHosts({
  config,
  db,
  clock,
}: Pick<Base, 'config' | 'db' | 'clock'>): Promise<ListingHost[]> {
  const on = clock.now().toISOString().slice(0, 10);
  const moves = await readMoves(db);
  const confirmed = await readConfirmedHosts(db);
  return askedListings(config).map((name) => {
    const listing = registry[name];
    const { baseUrl, host: configured } = config.listings[name];
    const address = addressAfter(moves, name, { baseUrl: baseUrl ?? '', host: configured });
    const { host } = address;
    const move =
      moves.findLast((each) => each.listing === name && each.rolledBackAt === null && each.to.host === host) ?? null;
    const isConfirmed = confirmed.some((each) => each.listing === name && each.host === host);
    const hostStatus = hostStatusOf(listing, host, { on, isNew: move !== null || isConfirmed });
    return { listing, host, baseUrl: baseUrl === null ? null : address.baseUrl, hostStatus, move };
  });
}

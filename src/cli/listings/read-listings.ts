import { askableListings, subscriptionsOf } from '../../app/askable-listings.ts';
import type { Base } from '../../app/compose.ts';
import { askedListings } from '../../app/config/asked-listings.ts';
import type { ConfiguredListing } from '../../app/config.ts';
import { addressAfter, type ListingMove, readMoves } from '../../crawl/ledger/listing-moves.ts';
import type { Cost } from '../../crawl/ledger/run-cost.ts';
import { type ListingAnswers, readListingAnswers } from '../../crawl/status/listing-answers.ts';
import { type ListingStatus, readListings } from '../../questions/status.ts';
import {
  type HostStatus,
  hostStatusOf,
  type Listing,
  monthlyQuotaOn,
  listings as registry,
} from '../../source/listings/index.ts';

/** A listing in `pricebook listings`. */
export interface ListingOverview {
  readonly listing: Listing;
  readonly configured: ConfiguredListing;
  /** Whether the listing is in use; otherwise the fields below are null. */
  readonly isAsked: boolean;
  readonly host: string | null;
  readonly baseUrl: string | null;
  readonly hostStatus: HostStatus | null;
  readonly answers: ListingAnswers | null;
  readonly spend: ListingStatus | null;
  /** Requests per month of the plan or of the configured quota. */
  readonly quota: number | null;
  /** Cost of the month; null: unknown. */
  readonly cost: Cost | null;
  /** Move that led to the current host; null: the configured host is in use. */
  readonly move: ListingMove | null;
}

/** All listings with their current state. Sends no request. */
export async function readListingOverviews({
  config,
  db,
  clock,
}: Pick<Base, 'config' | 'db' | 'clock'>): Promise<ListingOverview[]> {
  const asked = new Set(askedListings(config));
  const on = clock.now().toISOString().slice(0, 10);
  const moves = await readMoves(db);
  const answers = await readListingAnswers(db);
  const now = clock.now();
  const spends = await readListings(db, now, askableListings(config, now), subscriptionsOf(config));
  return Object.values(registry).map((listing): ListingOverview => {
    const configured = config.listings[listing.name];
    const isAsked = asked.has(listing.name);
    const { baseUrl } = configured;
    const from = { baseUrl: baseUrl ?? '', host: configured.host };
    const address = addressAfter(moves, listing.name, from);
    const move =
      moves.findLast(
        (each) => each.listing === listing.name && each.rolledBackAt === null && each.to.host === address.host,
      ) ?? null;
    const spend = spends.find((each) => each.listing === listing.name) ?? null;
    const { subscription, monthlyQuota: told } = configured;
    const quota = monthlyQuotaOn(on, subscription, { offer: listing.bonusOffer, told });
    return {
      listing,
      configured,
      isAsked,
      host: isAsked ? address.host : null,
      baseUrl: isAsked && baseUrl !== null ? address.baseUrl : null,
      hostStatus: isAsked ? hostStatusOf(listing, address.host, { on, isNew: move !== null }) : null,
      answers: answers.get(listing.name) ?? null,
      spend,
      quota,
      cost: spend?.cost ?? null,
      move,
    };
  });
}

import { askableListings, subscriptionsOf } from '../../app/askable-listings.ts';
import type { Base } from '../../app/compose.ts';
import type { ConfiguredListing } from '../../app/config.ts';
import { readListingHosts } from '../../app/listing-hosts.ts';
import type { ListingMove } from '../../crawl/ledger/listing-moves.ts';
import type { Cost } from '../../crawl/ledger/run-cost.ts';
import { type ListingAnswers, readListingAnswers } from '../../crawl/status/listing-answers.ts';
import { type ListingStatus, readListings } from '../../questions/status.ts';
import { type HostStatus, type Listing, monthlyQuotaOn, listings as registry } from '../../source/listings/index.ts';

const billingMonthMs = 31 * 86_400_000;

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
  /** Whether it was moved within the last billing month, so that the old subscription may still be billed. */
  readonly isRecentMove: boolean;
}

/** All listings with their current state. Sends no request. */
export async function readListingOverviews({
  config,
  db,
  clock,
}: Pick<Base, 'config' | 'db' | 'clock'>): Promise<ListingOverview[]> {
  const on = clock.now().toISOString().slice(0, 10);
  const answers = await readListingAnswers(db);
  const now = clock.now();
  const spends = await readListings(db, now, askableListings(config, now), subscriptionsOf(config));
  const hosts = await readListingHosts({ config, db, clock });
  return Object.values(registry).map((listing): ListingOverview => {
    const configured = config.listings[listing.name];
    const asked = hosts.find((each) => each.listing === listing) ?? null;
    const move = asked?.move ?? null;
    const spend = spends.find((each) => each.listing === listing.name) ?? null;
    const { subscription, monthlyQuota: told } = configured;
    const quota = monthlyQuotaOn(on, subscription, { offer: listing.bonusOffer, told });
    return {
      listing,
      configured,
      isAsked: asked !== null,
      host: asked?.host ?? null,
      baseUrl: asked?.baseUrl ?? null,
      hostStatus: asked?.hostStatus ?? null,
      answers: answers.get(listing.name) ?? null,
      spend,
      quota,
      cost: spend?.cost ?? null,
      move,
      isRecentMove: move !== null && now.getTime() - move.movedAt.getTime() < billingMonthMs,
    };
  });
}

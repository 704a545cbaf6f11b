import type { ListingName, RegionCode } from '../../base/model/index.ts';
import type { Plan } from './plan.ts';
import type { BonusOffer } from './subscription.ts';

/** One API published on the gateway: where it is found and what is known of its limits. Data, no behaviour. */
export interface Listing {
  readonly name: ListingName;
  readonly title: string;
  /** What it is and who needs it, for somebody who only wants groceries. */
  readonly about: string;
  /**
   * The one to ask first, then those it replaces, which stay: an old archive can be understood, and a move can be taken
   * back.
   */
  readonly hosts: readonly ListingHost[];
  /** How header names begin at the marketplace that has these hosts. */
  readonly headerPrefix: Sourced<string>;
  /** Names of the endpoints that are asked here. */
  readonly endpoints: readonly string[];
  /** Path and query of the request that shows whether a host answers: its health, or the cheapest it has. */
  readonly probeTarget: string;
  /** Where to ask when nothing is configured; null: it must be configured. */
  readonly baseUrl: string | null;
  /** Host name under which the simulator plays this listing. */
  readonly simulatorHost: string;
  /** Begins the names of its variables: `GROCERY` in `GROCERY_KEY`. */
  readonly environmentPrefix: string;
  /** Polite pace when nothing is configured. */
  readonly requestsPerSecond: Sourced<number>;
  /** Requests a month by plan; null: not published, so what the headers say counts. */
  readonly monthlyQuota: Sourced<number | null>;
  /** What can be subscribed to, the free plan first. The same on every host of the listing. */
  readonly plans: readonly Plan[];
  /** null: the listing adds no requests to its plans. */
  readonly bonusOffer: BonusOffer | null;
  /** Longest category id the listing accepts, in characters; null: it takes none. */
  readonly categoryIdMaxLength: Readonly<Record<RegionCode, number>> | null;
}

export interface ListingHost {
  /** null: not published with the interface; the variables name it. */
  readonly host: string | null;
  /** By which the simulator plays it. */
  readonly simulatorHost: string;
  /** Last day, `YYYY-MM-DD`, by which callers are to have left it; null: it stays. */
  readonly leaveBy: string | null;
}

/** A number and where it comes from. */
interface Sourced<Value> {
  readonly value: Value;
  readonly source: string;
}

export function defineListing(listing: Listing): Listing {
  return listing;
}

import type { ListingName, RegionCode } from '../../base/model/index.ts';
import type { Amount } from './amount.ts';

/** An API published on the gateway: its hosts and known limits. Data only. */
export interface Listing {
  readonly name: ListingName;
  readonly title: string;
  /** Purpose, for users who only want groceries. */
  readonly about: string;
  /** Current host first, then replaced ones. Those stay, so that old payloads can be identified and moves undone. */
  readonly hosts: readonly ListingHost[];
  /** Names of endpoints in use. */
  readonly endpoints: readonly string[];
  /** Default base URL; null: must be configured. */
  readonly baseUrl: string | null;
  /** Host name of this listing in the simulator. */
  readonly simulatorHost: string;
  /** Prefix of its variables: `GROCERY` in `GROCERY_KEY`. */
  readonly environmentPrefix: string;
  /** Default rate. Requests per month are unpublished, so the headers decide. */
  readonly requestsPerSecond: number;
  /** Whether only its health is requested, which needs no limits. */
  readonly isHealthOnly: boolean;
  /** Available plans, free plan first; equal on all hosts. */
  readonly plans: readonly Plan[];
  /** Maximum length of category ids in characters; null: not applicable. */
  readonly categoryIdMaxLength: Readonly<Record<RegionCode, number>> | null;
}

export interface ListingHost {
  /** Null: unpublished; must be configured. */
  readonly host: string | null;
  /** Host name in the simulator. */
  readonly simulatorHost: string;
  /** Last day of the host, `YYYY-MM-DD`; null: no deadline. */
  readonly leaveBy: string | null;
}

/** A plan of a listing. Requests per month and second are unpublished; headers or variables supply them. */
export interface Plan {
  readonly name: string;
  /** Null: unpublished. */
  readonly pricePerMonth: Amount | null;
}

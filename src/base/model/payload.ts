import type { RegionCode } from './region.ts';

export const listingNames = ['grocery', 'stores', 'property_1', 'property_2'] as const;
export type ListingName = (typeof listingNames)[number];

/** A response as received. */
export interface Payload {
  readonly listing: ListingName;
  readonly endpoint: string;
  readonly region: RegionCode | null;
  readonly host: string;
  /** Path and query as sent, such as `/category-page?categoryId=b%3B…&pageNo=2`. Never contains headers or a key. */
  readonly request: string;
  readonly status: number;
  readonly receivedAt: Date;
  /** Body after content decoding. */
  readonly body: Uint8Array;
  /** Lower-case hex sha256 of `body`. */
  readonly sha256: string;
}

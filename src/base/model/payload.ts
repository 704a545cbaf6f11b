import type { RegionCode } from './region.ts';

export type ListingName = 'grocery' | 'stores' | 'property_1' | 'property_2';

/** A response exactly as received. */
export interface Payload {
  readonly listing: ListingName;
  readonly endpoint: string;
  readonly region: RegionCode | null;
  readonly host: string;
  /** Path and query as sent, e.g. `/category-page?categoryId=b%3B…&pageNo=2`. Never a header, never a key. */
  readonly request: string;
  readonly status: number;
  readonly receivedAt: Date;
  /** Decoded (decompressed) bytes. */
  readonly body: Uint8Array;
  /** Lower-case hex sha256 of `body`. */
  readonly sha256: string;
}

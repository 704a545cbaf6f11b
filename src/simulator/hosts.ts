export type ListingName = 'grocery' | 'stores' | 'property_1' | 'property_2';

/** Hosts of the simulated gateway, as sent in `X-…-Host`. */
export const simulatorHosts = {
  grocery: 'grocery.simulator',
  grocery2: 'grocery-2.simulator',
  stores: 'stores.simulator',
  property1: 'property-1.simulator',
  property1Old: 'property-1-old.simulator',
  property2: 'property-2.simulator',
  property2Old: 'property-2-old.simulator',
} as const;

/**
 * Listing of a host; null if the gateway does not know the host (yet or any more). Before a move the new host is
 * unknown, during the move both hosts work, afterwards (`migrated`) the old ones are gone.
 */
export function listingAt(
  host: string,
  { migrated, goneHosts }: { readonly migrated: boolean; readonly goneHosts: readonly string[] },
): ListingName | null {
  const known = listings[host];
  return known === undefined || (known.retires && migrated) || goneHosts.includes(host) ? null : known.listing;
}

/**
 * Account under which a host's requests are counted: each host is a separate subscription. The current host has the
 * name of its listing.
 */
export function subscriptionAt(host: string): string | null {
  const known = listings[host];
  if (known === undefined) return null;
  return known.retires || host === simulatorHosts.grocery2 ? host : known.listing;
}

const listings: Readonly<Record<string, { listing: ListingName; retires: boolean }>> = {
  [simulatorHosts.grocery]: { listing: 'grocery', retires: false },
  [simulatorHosts.grocery2]: { listing: 'grocery', retires: false },
  [simulatorHosts.stores]: { listing: 'stores', retires: false },
  [simulatorHosts.property1]: { listing: 'property_1', retires: false },
  [simulatorHosts.property1Old]: { listing: 'property_1', retires: true },
  [simulatorHosts.property2]: { listing: 'property_2', retires: false },
  [simulatorHosts.property2Old]: { listing: 'property_2', retires: true },
};

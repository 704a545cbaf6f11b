import type { ListingName } from '../../base/model/index.ts';
import { amountOf } from './amount.ts';
import type { Listing, Plan } from './listing.ts';

export { type Amount, amountOf, amountText, describeAmount } from './amount.ts';
export * from './host.ts';
export type { Listing, ListingHost, Plan } from './listing.ts';
export * from './subscription.ts';

/** Header prefix of the marketplace with the published hosts, as public clients of the listing send it. */
export const marketplacePrefix = 'X-RapidAPI';

/** What most listings have. */
const usual = {
  baseUrl: null,
  // No other limit is published. Public clients of the groceries report 5 a second allowed and settled on 3.
  requestsPerSecond: 3,
  isHealthOnly: false,
  categoryIdMaxLength: null,
  // The gateway's free tier, and plans with unpublished prices.
  plans: [planOf('Basic', '0'), planOf('Pro'), planOf('Ultra'), planOf('Mega')],
} as const;

/** Taxonomy, category pages, search and product details of both regions. */
export const grocery: Listing = {
  ...usual,
  name: 'grocery',
  title: 'Grocery data, UK and Ireland',
  about: 'products, prices and categories of the supermarket; the only listing that nights need',
  // The same API under two slugs; the vendor documents the second one.
  hosts: [
    { host: 'tesco8.p.rapidapi.com', simulatorHost: 'grocery.simulator', leaveBy: null },
    { host: 'tesco-data-api.p.rapidapi.com', simulatorHost: 'grocery-2.simulator', leaveBy: null },
  ],
  endpoints: [
    'uk-taxonomy',
    'ie-taxonomy',
    'uk-category-page',
    'ie-category-page',
    'uk-product-details',
    'ie-product-details',
    'uk-product-search',
    'grocery-health',
  ],
  baseUrl: 'https://tesco8.p.rapidapi.com',
  simulatorHost: 'grocery.simulator',
  environmentPrefix: 'GROCERY',
  // From the vendor's OpenAPI document; the Irish limit is indeed lower.
  categoryIdMaxLength: { uk: 300, ie: 200 },
};

/** All listings by name. */
export const listings: Readonly<Record<ListingName, Listing>> = {
  grocery,
  stores: {
    ...usual,
    name: 'stores',
    title: 'Store locator',
    about: 'shops near a coordinate, with their opening hours; optional, nights do not need it',
    // Its host is not published with the interface.
    hosts: [{ host: null, simulatorHost: 'stores.simulator', leaveBy: null }],
    // There is no health endpoint; a search with the smallest radius replaces it.
    endpoints: ['store-list'],
    simulatorHost: 'stores.simulator',
    environmentPrefix: 'STORES',
  },
  property_1: propertyListing(1, 'first', '2026-07-20'),
  property_2: propertyListing(2, 'second', '2026-05-12'),
};

/**
 * A UAE real-estate listing; only its health is requested. It moves to a new host. Neither host is published, so both
 * must be configured.
 */
function propertyListing(no: 1 | 2, ordinal: string, leaveBy: string): Listing {
  return {
    ...usual,
    name: `property_${no}`,
    title: `UAE real estate, ${ordinal} listing`,
    about:
      'homes for sale in the UAE, by the provider of the grocery listing; unrelated to groceries, set it only if you ' +
      'subscribe to it',
    hosts: [
      { host: null, simulatorHost: `property-${no}.simulator`, leaveBy: null },
      { host: null, simulatorHost: `property-${no}-old.simulator`, leaveBy },
    ],
    endpoints: [`property-${no}-health`],
    simulatorHost: `property-${no}.simulator`,
    environmentPrefix: `PROPERTY_${no}`,
    isHealthOnly: true,
    // Specification, section 8; the replacing listings keep them.
    plans: [planOf('Basic', '0'), planOf('Pro', '9.99'), planOf('Ultra', '49.99'), planOf('Mega', '99.99')],
  };
}

function planOf(name: string, price: string | null = null): Plan {
  return { name, pricePerMonth: price === null ? null : amountOf(price, 'USD') };
}

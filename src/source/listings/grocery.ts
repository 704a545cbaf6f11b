import { defineListing } from './listing.ts';
import { unpricedPlans } from './plan.ts';

/** Taxonomy, category pages, search and product details of both regions. */
export const grocery = defineListing({
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
  probeTarget: '/health',
  baseUrl: 'https://tesco8.p.rapidapi.com',
  simulatorHost: 'grocery.simulator',
  environmentPrefix: 'GROCERY',
  // Public clients report 5 a second allowed and settled on 3.
  requestsPerSecond: 3,
  plans: unpricedPlans,
  bonusOffer: null,
  // From the vendor's OpenAPI document; the Irish limit is indeed lower.
  categoryIdMaxLength: { uk: 300, ie: 200 },
});

import { defineListing } from './listing.ts';
import { unpricedPlans } from './plan.ts';

/** Store locator: shops near a coordinate. Its host is not published with the interface. */
export const stores = defineListing({
  name: 'stores',
  title: 'Store locator',
  about: 'shops near a coordinate, with their opening hours; optional, nights do not need it',
  hosts: [{ host: null, simulatorHost: 'stores.simulator', leaveBy: null }],
  endpoints: ['store-list'],
  // There is no health endpoint; a search with the smallest radius replaces it.
  probeTarget: '/store-list?latitude=51.5072&longitude=-0.1276&radius=1',
  baseUrl: null,
  simulatorHost: 'stores.simulator',
  environmentPrefix: 'STORES',
  // No limit is published; the pace of the grocery listing.
  requestsPerSecond: 3,
  plans: unpricedPlans,
  bonusOffer: null,
  categoryIdMaxLength: null,
});

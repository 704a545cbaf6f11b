import { defineListing } from './listing.ts';
import { unpricedPlans } from './plan.ts';

/** The store locator: shops near a coordinate. Its host is not published with the interface. */
export const stores = defineListing({
  name: 'stores',
  title: 'Store locator',
  hosts: [],
  baseUrl: null,
  simulatorHost: 'stores.simulator',
  environmentPrefix: 'STORES',
  requestsPerSecond: { value: 3, source: 'no limit is published; the pace of the grocery listing' },
  monthlyQuota: { value: null, source: 'not published' },
  plans: unpricedPlans,
  bonusOffer: null,
  pageSize: null,
  categoryIdMaxLength: null,
});

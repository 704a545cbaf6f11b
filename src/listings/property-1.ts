import { defineListing } from './listing.ts';
import { propertyPlans } from './plan.ts';
import { newListingBonus } from './subscription.ts';

/**
 * The first UAE real-estate listing: only its health is asked. It moves to a new host by 20 July 2026; neither host is published
 * with the interface, so both come from the configuration.
 */
export const property1 = defineListing({
  name: 'property_1',
  title: 'UAE real estate, first listing',
  hosts: [],
  baseUrl: null,
  simulatorHost: 'property-1.simulator',
  environmentPrefix: 'PROPERTY_1',
  requestsPerSecond: { value: 3, source: 'no limit is published; the pace of the grocery listing' },
  monthlyQuota: { value: null, source: 'plans Pro, Ultra and Mega; their requests are not published' },
  plans: propertyPlans,
  bonusOffer: newListingBonus,
  pageSize: null,
  categoryIdMaxLength: null,
});

import { defineListing } from './listing.ts';
import { propertyPlans } from './plan.ts';
import { newListingBonus } from './subscription.ts';

/**
 * The first UAE real-estate listing: only its health is asked. It moves to a new host by 20 July 2026; neither host is
 * published with the interface, so both come from the configuration.
 */
export const property1 = defineListing({
  name: 'property_1',
  title: 'UAE real estate, first listing',
  about:
    'homes for sale in the UAE by the provider of the grocery listing, nothing to do with groceries; leave it unset unless you subscribe to it',
  hosts: [
    { host: null, simulatorHost: 'property-1.simulator', leaveBy: null },
    { host: null, simulatorHost: 'property-1-old.simulator', leaveBy: '2026-07-20' },
  ],
  headerPrefix: { value: 'X-RapidAPI', source: 'the marketplace of the grocery listing' },
  endpoints: ['property-1-health'],
  probeTarget: '/health',
  baseUrl: null,
  simulatorHost: 'property-1.simulator',
  environmentPrefix: 'PROPERTY_1',
  requestsPerSecond: { value: 3, source: 'no limit is published; the pace of the grocery listing' },
  monthlyQuota: { value: null, source: 'plans Pro, Ultra and Mega; their requests are not published' },
  plans: propertyPlans,
  bonusOffer: newListingBonus,
  categoryIdMaxLength: null,
});

import { defineListing } from './listing.ts';
import { propertyPlans } from './plan.ts';
import { newListingBonus } from './subscription.ts';

/**
 * First UAE real-estate listing; only its health is requested. It moves to a new host by 20 July 2026. Neither host is
 * published, so both must be configured.
 */
export const property1 = defineListing({
  name: 'property_1',
  title: 'UAE real estate, first listing',
  about:
    'homes for sale in the UAE, by the provider of the grocery listing; unrelated to groceries, set it only if you ' +
    'subscribe to it',
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

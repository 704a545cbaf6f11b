import { defineListing } from './listing.ts';
import { propertyPlans } from './plan.ts';
import { newListingBonus } from './subscription.ts';

export const property1 = defineProperty(1, 'first', '2026-07-20');
export const property2 = defineProperty(2, 'second', '2026-05-12');

/**
 * A UAE real-estate listing; only its health is requested. It moves to a new host. Neither host is published, so both
 * must be configured.
 */
function defineProperty(no: 1 | 2, ordinal: string, leaveBy: string) {
  return defineListing({
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
    probeTarget: '/health',
    baseUrl: null,
    simulatorHost: `property-${no}.simulator`,
    environmentPrefix: `PROPERTY_${no}`,
    // No limit is published; the pace of the grocery listing.
    requestsPerSecond: 3,
    plans: propertyPlans,
    bonusOffer: newListingBonus,
    categoryIdMaxLength: null,
  });
}

import { z } from 'zod';
import type { ListingName } from '../../base/model/index.ts';
import { defineEndpoint, type Endpoint } from './define-endpoint.ts';
import { readContract } from './envelope.ts';

/** Health of the grocery listing. The request counts like any other. */
export const groceryHealth = defineHealth('grocery-health', 'grocery');

/** Health of the property listings, their only endpoint in use; it follows their migration. */
export const property1Health = defineHealth('property-1-health', 'property_1');
export const property2Health = defineHealth('property-2-health', 'property_2');

/**
 * The specification does not show the payload and the vendor documents `{success: true}`, so any object is accepted.
 * `success: false` never reaches this parser, because the gateway client treats it as a failure.
 */
const Answer = z.record(z.string(), z.unknown());
type Answer = z.output<typeof Answer>;

function defineHealth(name: string, listing: ListingName): Endpoint<void, Answer> {
  return defineEndpoint<void, Answer>({
    name,
    listing,
    region: null,
    paths: ['/health'],
    query: () => ({}),
    read: (body) => ({ records: readContract(name, Answer, body), rejected: [] }),
  });
}

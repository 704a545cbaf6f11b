import { z } from 'zod';
import type { ListingName } from '../../base/model/index.ts';
import { defineEndpoint, type Endpoint } from './define-endpoint.ts';
import { readEnvelope } from './envelope.ts';

/** Health of the supermarket's listing. A call is metered like any other. */
export const groceryHealth = defineHealth('grocery-health', 'grocery');

/** Health of the two property listings: the only endpoint of theirs that is used, to follow their migration. */
export const property1Health = defineHealth('property-1-health', 'property_1');
export const property2Health = defineHealth('property-2-health', 'property_2');

/**
 * The payload is "not shown" in the specification and `{success: true}` in the vendor's document: any object is an
 * answer. One that says `success: false` does not come here: the gateway takes it for a failure, as it does of every
 * endpoint.
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
    read: (body) => ({ records: readEnvelope(name, Answer, body), rejected: [] }),
  });
}

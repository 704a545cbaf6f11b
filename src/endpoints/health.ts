import { z } from 'zod';
import type { ListingName } from '../model/index.ts';
import { defineEndpoint, type Endpoint } from './define-endpoint.ts';
import { readEnvelope } from './envelope.ts';

export interface Health {
  readonly isHealthy: boolean;
}

/** Health of the supermarket's listing. A call is metered like any other. */
export const groceryHealth = defineHealth('grocery-health', 'grocery');

/** Health of the two property listings: the only endpoint of theirs that is used, to follow their migration. */
export const property1Health = defineHealth('property-1-health', 'property_1');
export const property2Health = defineHealth('property-2-health', 'property_2');

/** The payload is "not shown" in the specification and `{success: true}` in the vendor's document: any object is an answer. */
const Answer = z.record(z.string(), z.unknown());

function defineHealth(name: string, listing: ListingName): Endpoint<void, Health> {
  return defineEndpoint<void, Health>({
    name,
    listing,
    region: null,
    paths: ['/health'],
    query: () => ({}),
    read: (body) => ({ records: { isHealthy: readEnvelope(name, Answer, body)['success'] !== false }, rejected: [] }),
  });
}

import { listingNames } from '../base/model/index.ts';
import { fields, regionNames } from './columns.ts';
import { choice, Since, Until, within } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

export const requests = defineQuestion({
  name: 'requests',
  about: 'requests to the gateway, their cost and outcomes, by day and endpoint',
  parameters: { listing: choice(listingNames, 'only this listing'), since: Since, until: Until },
  columns: [
    { name: 'spent_on', heading: 'Day, UTC', as: 'date' },
    ...fields('listing', 'endpoint'),
    { name: 'region', mayBeNull: true, names: { ...regionNames, '': 'none' } },
    ...fields('requests', 'cost'),
    { name: 'currency', mayBeNull: true },
    { name: 'ok', heading: 'Answered', as: 'number' },
    ...fields('failed', 'refused', 'rate_limited', 'over_quota'),
    { name: 'denied', heading: 'Key refused', as: 'number' },
  ],
  key: ['spent_on', 'listing', 'endpoint', 'region'],
  table: () => [
    ...(['spent_on', 'listing', 'endpoint', 'requests', 'cost', 'ok', 'failed', 'refused'] as const),
    ...(['rate_limited', 'over_quota', 'denied'] as const),
  ],
  rows: ({ listing, ...dates }) => sql`
    select * from marts.listing_spend_daily
    where ${allOf(listing && sql`listing = ${listing}`, within(sql`spent_on`, dates))}`,
  order: () => sql`spent_on desc, listing, endpoint, region`,
  none: () => 'No request has been sent.',
});

import { endpoints } from '../source/endpoints/index.ts';
import { fields } from './columns.ts';
import { choice, EitherRegion, wholeNumber } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

export const quarantine = defineQuestion({
  name: 'quarantine',
  about: 'elements that could not be parsed, by endpoint, place and reason',
  parameters: {
    endpoint: choice(
      endpoints.map(({ name }) => name) as [string, ...string[]],
      'only elements of this endpoint (default: all)',
    ),
    region: EitherRegion,
    run: wholeNumber(1, 2_147_483_647).optional().meta({ description: 'only elements of this run (default: all)' }),
  },
  columns: [
    ...fields('endpoint'),
    { name: 'path', heading: 'Where' },
    { name: 'reason', heading: 'Why', as: 'sentence' },
    ...fields('elements', 'runs'),
    { name: 'first_seen_at', heading: 'First seen', as: 'instant' },
    { name: 'last_seen_at', heading: 'Last seen', as: 'instant' },
    { name: 'sample', heading: 'Sample' },
  ],
  table: () => ['endpoint', 'path', 'reason', 'elements', 'runs', 'first_seen_at', 'last_seen_at', 'sample'],
  key: ['endpoint', 'path', 'reason'],
  rows: ({ endpoint, region, run }) => sql`
    select
      endpoint, path, reason, sum(elements)::int as elements, count(distinct run_id)::int as runs,
      min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
      (array_agg(sample order by last_seen_at desc))[1] as sample
    from marts.quarantine_reason
    where ${allOf(
      endpoint && sql`endpoint = ${endpoint}`,
      region && sql`region = ${region}`,
      run !== undefined && sql`run_id = ${run}`,
    )}
    group by endpoint, path, reason`,
  order: () => sql`elements desc, endpoint, path, reason`,
  none: () => 'The quarantine is empty: all that was received could be read.',
  notes: async () => ['Fix the contract in src/source/endpoints, then run `pricebook replay` to parse them again.'],
});

import type { Queryable } from '../../db/client.ts';
import type { NightsToDerive } from './derivation.ts';

/**
 * Creates the temporary table `derived_night`: nights numbered from 1 in order. `nightOf` uses it to find the first
 * night that sees an instant.
 */
export async function listNights(sql: Queryable, { nights }: NightsToDerive): Promise<void> {
  await sql.query('drop table if exists pg_temp.derived_night');
  await sql.query(
    `create temporary table derived_night on commit drop as
     select night_no::int, snapshot_date, observed_at
     from unnest($1::date[], $2::timestamptz[]) with ordinality as night (snapshot_date, observed_at, night_no)`,
    [nights.map(({ snapshotDate }) => snapshotDate), nights.map(({ observedAt }) => observedAt)],
  );
  // Without statistics, the planner expects 1,850 nights.
  await sql.query('analyze derived_night');
}

/** Whether to derive a region's first night alone: all that a product has begins with it. */
export const isFirst = ({ before, nights }: NightsToDerive): boolean => before === null && nights.length === 1;

/** SQL: products with the number of that night, as found among all that began until then. $1: region. */
export const seenFirst = `
  select product_key, 1 as night_no from catalog.product
  where region = $1 and first_seen_at <= (select observed_at from derived_night)`;

/** SQL: number of the first night at or after an instant that lies after the preceding night and not after the last. */
export const nightOf = (instant: string): string =>
  `width_bucket(${instant} - interval '1 microsecond',
     (select array_agg(observed_at order by night_no) from derived_night)) + 1`;

/** SQL: whether one of the nights is the first to see an instant. */
export const isSeenFirst = (instant: string, before: string): string =>
  `(${instant} > ${before} and ${instant} <= (select max(observed_at) from derived_night))`;

/** SQL: whether a spell was not over at an instant; the form that history indexes support. */
export const isOverAfter = (spell: string, instant: string): string =>
  `(${spell}.valid_to is null or ${spell}.valid_to > ${instant})`;

/** Instant of the night before the nights to derive; -infinity if there is none. */
export const instantBefore = ({ before }: NightsToDerive): Date | string => before?.observedAt ?? '-infinity';

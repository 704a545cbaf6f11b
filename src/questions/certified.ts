import type { RegionCode } from '../base/model/index.ts';
import { type Sql, sql } from './sql.ts';

/** What a night of which charts and comparisons are made must be. */
export const isCertified = sql`certificate in ('complete', 'complete_within_tolerance')`;

/** The last certified night of a region up to a date, or of all; a value that is found once. */
export function lastCertified(region: RegionCode, upTo?: string | Sql): Sql {
  return sql`(
    select max(snapshot_date) from marts.snapshot
    where region = ${region} and ${isCertified}${upTo === undefined ? sql`` : sql` and snapshot_date <= ${upTo}`})`;
}

/**
 * Likewise of those from which everything that follows is derived, which takes seconds after a night is published.
 * Looked up from the end; `max` would read all the dates of a view.
 */
export function lastDerived(region: RegionCode | Sql, upTo?: string | Sql): Sql {
  return sql`(
    select snapshot_date from marts.fct_region_daily
    where region = ${region}${upTo === undefined ? sql`` : sql` and snapshot_date <= ${upTo}`}
    order by snapshot_date desc limit 1)`;
}

export function firstDerived(region: RegionCode | Sql): Sql {
  return sql`(select snapshot_date from marts.fct_region_daily where region = ${region} order by snapshot_date limit 1)`;
}

/** The last night that is derived in both regions, up to a date or of all: matches are kept for those nights. */
export function lastOfBoth(upTo?: string): Sql {
  return sql`(
    select uk.snapshot_date from marts.fct_region_daily uk
    where uk.region = 'uk'${upTo === undefined ? sql`` : sql` and uk.snapshot_date <= ${upTo}`}
      and exists (select from marts.fct_region_daily ie where ie.region = 'ie' and ie.snapshot_date = uk.snapshot_date)
    order by uk.snapshot_date desc limit 1)`;
}

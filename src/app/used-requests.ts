import type { ListingName } from '../base/model/index.ts';
import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { type ListingLimits, limitsOf } from '../gateway/limits/limits.ts';

/** Usage of one limit of a listing: `month`, `minute`, `hour` or `day`. */
export interface UsedRequests {
  readonly listing: ListingName;
  readonly window: string;
  readonly used: number;
  readonly limit: number;
}

/** Requests used of each configured limit. */
export function readUsedRequests(
  sql: Queryable,
  now: Date,
  listings: ReadonlyMap<ListingName, ListingLimits>,
): Promise<UsedRequests[]> {
  const limits = [...listings].flatMap(([listing, limits]) => limitsOf(limits).map((limit) => ({ listing, ...limit })));
  return rowsOf<UsedRequests & Record<string, unknown>>(sql, selectUsed, [JSON.stringify(limits), now]);
}

const selectUsed = `
  select a.listing, a.name as window, a.requests as limit, case when a.ms is null
    then (select used from ops.listing l
      where l.listing = a.listing and l.month_starts_at <= $2 and $2 < l.month_ends_at)
    else (select sum(w.used) from ops.listing_window w where w.listing = a.listing and w.window_ms = a.ms
      and w.piece >= floor((extract(epoch from ops.clock()) * 1000 - a.ms) / a.piece_ms)) end::float8 as used
  from jsonb_to_recordset($1) as a (listing text, name text, requests float8, ms bigint, piece_ms float8)`;

import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type ListingLimits, monthLimit, pieceMsOf, type WindowName, windowName } from './terms.ts';

/** Usage of one limit of a listing. */
interface UsedUnits {
  readonly listing: ListingName;
  readonly window: WindowName | 'month';
  readonly used: number;
  /** Null: only the upstream's headers state it. */
  readonly limit: number | null;
}

/** Units used of each counted limit, including requests of other users that the upstream's headers showed. */
export async function readUsedUnits(
  sql: Queryable,
  now: Date,
  listings: ReadonlyMap<ListingName, ListingLimits>,
): Promise<UsedUnits[]> {
  const windows = [...listings].flatMap(([listing, limits]) =>
    limits.windows.map((window) => ({ listing, ...window })),
  );
  const months = await rowsOf<{ listing: ListingName; used: number }>(sql, selectMonths, [[...listings.keys()], now]);
  const used = await rowsOf<{ used: number }>(sql, selectWindows, [
    windows.map(({ listing }) => listing),
    windows.map(({ windowMs }) => windowMs),
    windows.map(({ windowMs }) => pieceMsOf(windowMs)),
  ]);
  return [
    ...windows.map(({ listing, windowMs, units }, i) => ({
      listing,
      window: windowName(windowMs),
      used: used[i]!.used,
      limit: units,
    })),
    ...months.map((month) => ({
      ...month,
      window: 'month' as const,
      limit: monthLimit(listings.get(month.listing)!, now),
    })),
  ];
}

const selectMonths = `
  select listing, (used + used_by_others)::float8 as used from ops.listing
  where listing = any($1) and month_limit is not null and month_starts_at <= $2 and $2 < month_ends_at
  order by listing`;

const selectWindows = `
  select (
    select coalesce(sum(w.used), 0)::float8 from ops.listing_window w
    where w.listing = asked.listing and w.window_ms = asked.window_ms::bigint
      and w.piece >= floor((ops.clock_ms() - asked.window_ms) / asked.piece_ms)
  ) as used
  from unnest($1::text[], $2::float8[], $3::float8[]) with ordinality as asked (listing, window_ms, piece_ms, position)
  order by position`;

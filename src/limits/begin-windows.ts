import type { Database } from '../db/client.ts';
import { type ListingLimits, pieceMsOf } from './terms.ts';

/**
 * Lets a listing's windows begin with what was spent before anybody counted them: a limit that is new, or was left out for a
 * while, holds from its first request on. Of what was spent the hour alone is known, so it counts as spent at the end of it;
 * what was spent in the hour that a window counted last, or earlier, that window knows.
 */
export async function beginWindows(
  db: Pick<Database, 'tx'>,
  listing: string,
  { windows }: Pick<ListingLimits, 'windows'>,
): Promise<void> {
  if (windows.length === 0) return;
  await db.tx(async (tx) => {
    // In the order in which requests are reserved; what a process that counts no window has reserved is committed by then.
    await tx.query('insert into ops.listing_pace (listing) values ($1) on conflict do nothing', [listing]);
    await tx.query('select from ops.listing_pace where listing = $1 for update', [listing]);
    await tx.query(`select pg_advisory_xact_lock(hashtext('pricebook reserve requests'), hashtext($1))`, [listing]);
    await tx.query(countWhatWasSpent, [
      listing,
      windows.map(({ windowMs }) => windowMs),
      windows.map(({ windowMs }) => pieceMsOf(windowMs)),
    ]);
  });
}

/** A row for now as well, so that others count the window from here on. */
const countWhatWasSpent = `
  with now as (select ops.clock_ms() as ms),
  window_begun as (
    select t.ms::bigint as window_ms, t.piece_ms, (
      select to_timestamp((max(w.piece) + 1) * t.piece_ms / 1000) from ops.listing_window w
      where w.listing = $1 and w.window_ms = t.ms::bigint
    ) as counted_until
    from unnest($2::float8[], $3::float8[]) as t (ms, piece_ms)
  ),
  spent as (
    select b.window_ms, b.piece_ms, least(extract(epoch from s.hour) * 1000 + 3600000, now.ms) as at_ms, s.units
    from now, window_begun b
    join ops.spend s on s.listing = $1 and s.hour > coalesce(b.counted_until, '-infinity')
    where s.hour <= to_timestamp(now.ms / 1000) and s.hour + interval '1 hour' > to_timestamp((now.ms - b.window_ms) / 1000)
    union all
    select b.window_ms, b.piece_ms, now.ms, 0 from now, window_begun b
  )
  insert into ops.listing_window as w (listing, window_ms, piece, used)
  select $1, window_ms, floor(at_ms / piece_ms), sum(units) from spent group by window_ms, piece_ms, floor(at_ms / piece_ms)
  on conflict on constraint listing_window_listing_window_ms_piece_pk do update set used = w.used + excluded.used`;

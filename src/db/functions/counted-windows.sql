-- The windows of a listing in which others counted a request no longer ago than they reach, but for those of these terms.
create function ops.counted_windows(p_listing text, p_terms jsonb, out ms float8, out piece_ms float8)
  returns setof record language sql volatile
  as $$
    select w.window_ms, p.piece_ms from (
      select window_ms, max(piece) as piece from ops.listing_window where listing = p_listing group by window_ms
    ) as w
    cross join lateral (
      select case when w.window_ms = (p_terms->>'turn_ms')::bigint then (p_terms->>'turn_piece_ms')::float8
        else w.window_ms / coalesce((p_terms->>'window_pieces')::float8, 200) end as piece_ms
    ) as p
    where w.piece * p.piece_ms + w.window_ms >= ops.clock_ms()
      and not exists (select from jsonb_array_elements(p_terms->'windows') as t where (t->>0)::float8 = w.window_ms)
  $$;

-- Whether somebody counts the month in which an instant lies.
create function ops.is_counted(p_listing text, p_at timestamptz) returns boolean language sql stable
  as $$ select exists (select from ops.listing_quota q where q.listing = p_listing and q.starts_at <= p_at and p_at < q.ends_at) $$;

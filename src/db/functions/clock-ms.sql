-- The one clock of all limits. Tests put another in its place.
create function ops.clock_ms() returns double precision language sql volatile
  as $$ select (extract(epoch from clock_timestamp()) * 1000)::float8 $$;

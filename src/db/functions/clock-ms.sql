-- The single clock of all limits. Tests replace it.
create function ops.clock_ms() returns double precision language sql volatile
  as $$ select (extract(epoch from clock_timestamp()) * 1000)::float8 $$;

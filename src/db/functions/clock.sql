-- The single clock of all limits and stops. Tests replace it.
create function ops.clock() returns timestamptz language sql volatile
  as $$ select clock_timestamp() $$;

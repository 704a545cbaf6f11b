-- A mistyped region is an error instead of an empty answer.
create function ops.known_region(code text) returns text
language plpgsql
stable
strict
parallel safe
as $$
begin
  if exists (select from marts.dim_region r where r.region = code) then return code; end if;
  raise 'there is no region %; the regions are %', quote_literal(code),
    (select string_agg(r.region, ' and ' order by r.region desc) from marts.dim_region r)
    using errcode = 'invalid_parameter_value';
end $$;

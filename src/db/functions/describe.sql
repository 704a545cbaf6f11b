-- Comments on a view and its columns. `own` has a text on the view, then `name: meaning` of columns; further lines of
-- each are indented. Other columns have their meaning in a similar view, else the common one.
create function ops.describe(described regclass, own text, alike regclass default null)
returns void language plpgsql set search_path = pg_catalog as $body$
declare
  common constant text := $common$
region: uk or ie.
product_id: The upstream's product id.
updated_at: Instant of that change, by the clock of the program.
product_key: Joins dim_product.
currency: ISO 4217 code of the amounts in the row.
snapshot_date: Calendar date of the night in the region's time zone.
change_seq: Change key of the night: rises whenever the night is written or changed, in commit order. Rows with a
  greater key than those of a copy are new or have changed.
depth: Depth of the category, 0 at the top level. Filter by one depth to count each product once per branch.
title: Current title of the product.
path: Names from the top level down, joined with " > ".
brand_key: Brand without differences of spelling, to group and filter by: lower case, no accents, no punctuation
  (MERIDIAN and Meridian are meridian). Null when brand is.
pack_measure: Measure of pack_size: g, ml or each.
category_id: The upstream's category id.
category_key: Joins dim_category.
run_id: The run; joins snapshot.
endpoint: Name of the endpoint.
unit_price: Price of one unit_of_measure in currency, as in fct_price_daily.
unit_of_measure: Measure of unit_price, as in fct_price_daily.
changed_at: Instant of the run that first saw the change.
valid_from: Snapshot date of the first night.
valid_to: Snapshot date of the first night after the spell (exclusive); null while it lasts.
$common$;
  lines constant text[] := regexp_split_to_array(btrim(own, E'\n'), '\n(?! )');
  shared constant text[] := regexp_split_to_array(btrim(common, E'\n'), '\n(?! )');
  it record;
begin
  execute format('comment on view %s is %L', described, regexp_replace(lines[1], '\n +', ' ', 'g'));
  for it in
    with line as (
      select place, split_part(entry, ': ', 1) as name, substr(entry, strpos(entry, ': ') + 2) as meaning
      from (values (1, lines[2:]), (3, shared)) as list (place, entries), unnest(entries) as entry
      union all
      select 2, attname, col_description(alike, attnum) from pg_attribute where attrelid = alike
    )
    select distinct on (name) name, regexp_replace(meaning, '\n +', ' ', 'g') as meaning
    from line
    where place = 1 or name in (select attname from pg_attribute where attrelid = described)
    order by name, place
  loop
    execute format('comment on column %s.%I is %L', described, it.name, it.meaning);
  end loop;
end
$body$;

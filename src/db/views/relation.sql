create view marts.relation as
with key (mart, columns, night, change_key) as (
  values
    ('bridge_product_category', 'product_key, category_key, valid_from', null, null),
    ('certificate', 'run_id', null, null),
    ('certificate_category', 'run_id, path', null, null),
    ('check_finding', 'run_id, name', null, null),
    ('detail_payload', 'run_id, product_id, fetched_at', null, null),
    ('dim_category', 'category_key', null, null),
    ('dim_date', 'date', null, null),
    ('dim_product', 'product_key', null, null),
    ('dim_product_extra', 'product_key, name, valid_from', null, null),
    ('dim_region', 'region', null, null),
    ('extra_field', 'region, name', null, null),
    ('dim_store', 'store_id', null, null),
    ('dim_store_hours', 'store_id, weekday', null, null),
    ('fct_assortment_change', 'product_key, snapshot_date', 'snapshot_date', 'change_seq'),
    ('fct_availability_change', 'product_key, changed_at', 'snapshot_date', 'change_seq'),
    ('fct_availability_spell', 'product_key, valid_from', 'valid_from', 'change_seq'),
    ('fct_category_daily', 'region, snapshot_date, category_key', 'snapshot_date', 'derived_change_seq'),
    ('fct_detail_night', 'region, snapshot_date', null, null),
    ('fct_loyalty_price_change', 'product_key, changed_at', 'snapshot_date', 'change_seq'),
    ('fct_out_of_stock_rate', 'region, category_key, week_starts_on', null, null),
    ('fct_out_of_stock_spell', 'product_key, valid_from', 'valid_from', 'change_seq'),
    ('fct_pack_change', 'product_key, snapshot_date', 'confirmed_on', 'derived_change_seq'),
    ('fct_pack_size_spell', 'product_key, valid_from', 'valid_from', 'derived_change_seq'),
    ('fct_price_change', 'product_key, changed_at', 'snapshot_date', 'change_seq'),
    ('fct_price_daily', 'product_key, snapshot_date', 'snapshot_date', 'change_seq'),
    ('fct_price_spell', 'product_key, valid_from', 'valid_from', 'change_seq'),
    ('fct_price_step', 'product_key, snapshot_date', null, null),
    ('fct_promotion', 'product_key, promotion_key, seen_from', 'snapshot_date', 'change_seq'),
    ('fct_promotion_calendar', 'region, category_key, week_starts_on', null, null),
    ('fct_promotion_check', 'product_key, promotion_key, seen_from', null, null),
    ('fct_promotion_check_daily',
      'region, snapshot_date, prior_price_check, prior_price_reason, depth_from, verdict_label, has_all_nights',
      null, null),
    ('fct_region_daily', 'region, snapshot_date', 'snapshot_date', 'derived_change_seq'),
    ('fct_region_gap', 'uk_product_key, ie_product_key, snapshot_date', null, null),
    ('fct_region_jevons', 'uk_category_key, snapshot_date', null, null),
    ('fct_region_price_spell', 'uk_product_key, ie_product_key, valid_from', null, null),
    ('fct_search_filter', 'region, keyword, snapshot_date, position', null, null),
    ('fct_search_rank', 'region, keyword, snapshot_date, rank', null, null),
    ('fct_store_spell', 'store_id, valid_from', null, null),
    ('fct_unit_price_mistake', 'product_key, valid_from', 'valid_from', 'derived_change_seq'),
    ('found_product', 'region, product_id', null, null),
    ('fx_rate', 'base, quote, on_date', null, null),
    ('listing_now', 'listing', null, null),
    ('listing_spend_daily', 'listing, spent_on, endpoint, region', null, null),
    ('missed_night', 'region, snapshot_date', null, null),
    ('payload_field', 'run_id, endpoint, path', null, null),
    ('price_index', 'region, category_key, period, period_start, method, price_basis', 'period_start',
      'derived_change_seq'),
    ('price_index_vintage', 'region, category_key, period, period_start, price_basis, published_at', null, null),
    ('price_move', 'product_key, since, until', null, null),
    ('private_label', 'brand_key', null, null),
    ('product_category_now', 'product_key, category_key', null, null),
    ('product_night', 'product_key, run_id', null, null),
    ('product_now', 'product_key', null, null),
    ('product_nutrition', 'product_key, nutrient, basis', null, null),
    ('quarantine_reason', 'run_id, endpoint, path, reason', null, null),
    ('region_match', 'uk_product_key, ie_product_key', null, null),
    ('region_match_alarm', 'uk_product_key, ie_product_key', null, null),
    ('relation', 'mart, columns, kind', null, null),
    ('snapshot', 'region, snapshot_date', 'snapshot_date', 'change_seq'),
    ('store_refresh', 'refresh_id', null, null),
    ('vat_rate', 'region, department', null, null),
    ('watch', 'list, watch_id', null, null),
    ('watch_event', 'list, watch_id, snapshot_date', null, null)
), target (name, to_mart, to_column) as (
  values
    ('^(\w+_)?product_key$', 'dim_product', 'product_key'),
    ('^((uk_)?category|parent)_key$', 'dim_category', 'category_key'),
    ('^(snapshot_date|week_starts_on)$', 'dim_date', 'date'),
    ('^region$', 'dim_region', 'region'),
    ('^store_id$', 'dim_store', 'store_id'),
    ('^run_id$', 'certificate', 'run_id')
)
select
  'key' as kind,
  mart,
  columns,
  null as to_mart,
  null as to_column,
  night,
  change_key
from key
union all
-- By the names of columns, so that a new view has its references.
select 'reference', key.mart, part.attname, target.to_mart, target.to_column, null, null
from key
join pg_class view on view.relname = key.mart and view.relnamespace = 'marts'::regnamespace
join pg_attribute part on part.attrelid = view.oid and part.attnum > 0
join target on part.attname ~ target.name and (key.mart <> target.to_mart or part.attname = 'parent_key');

select ops.describe('marts.relation', $$
One row is the key of a mart, or a reference: a column whose values are in a column of another mart. For tools that join
  by one column, and for copies.
kind: key or reference.
mart: Name of the view.
columns: Key: columns that name a row, separated by ", "; nulls count as equal. Reference: the column.
to_mart: Reference: the mart that has a row for each value that is not null.
to_column: Reference: the column of to_mart, its key.
night: Key: the column with the night of a row, if the mart can be copied by its change key.
change_key: Key: the column of snapshot that lists the changed nights of the mart, change_seq or derived_change_seq; the
  mart itself has it as change_seq. Null if the mart cannot be copied by a change key.
$$);

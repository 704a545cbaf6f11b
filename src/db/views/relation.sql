create view marts.relation as
select mart, columns, night, change_key
from (
  values
    ('bridge_product_category', 'product_key, category_key, valid_from', null, null),
    ('certificate', 'run_id', null, null),
    ('certificate_category', 'run_id, path', null, null),
    ('check_finding', 'run_id, name', null, null),
    ('dim_category', 'category_key', null, null),
    ('dim_product', 'product_key', null, null),
    ('dim_product_extra', 'product_key, source, name, valid_from', null, null),
    ('dim_region', 'region', null, null),
    ('dim_store', 'store_id', null, null),
    ('fct_availability_change', 'product_key, changed_at', 'snapshot_date', 'change_seq'),
    ('fct_availability_spell', 'product_key, valid_from', 'valid_from', 'change_seq'),
    ('fct_category_daily', 'region, snapshot_date, category_key', 'snapshot_date', 'derived_change_seq'),
    ('fct_pack_change', 'product_key, snapshot_date', 'confirmed_on', 'derived_change_seq'),
    ('fct_price_change', 'product_key, changed_at', 'snapshot_date', 'change_seq'),
    ('fct_price_daily', 'product_key, snapshot_date', 'snapshot_date', 'change_seq'),
    ('fct_price_spell', 'product_key, valid_from', 'valid_from', 'change_seq'),
    ('fct_promotion', 'product_key, promotion_key, seen_from', 'snapshot_date', 'change_seq'),
    ('fct_promotion_calendar', 'region, category_key, week_starts_on', null, null),
    ('fct_promotion_check', 'product_key, promotion_key, seen_from', null, null),
    ('fct_promotion_check_daily',
      'region, snapshot_date, prior_price_check, prior_price_reason, depth_from, verdict_label, has_all_nights',
      null, null),
    ('fct_region_daily', 'region, snapshot_date', 'snapshot_date', 'derived_change_seq'),
    ('fct_region_gap', 'uk_product_key, ie_product_key, snapshot_date', null, null),
    ('fct_search_rank', 'region, keyword, snapshot_date, rank', null, null),
    ('fx_rate', 'base, quote, on_date', null, null),
    ('index_contribution', 'region, category_key, period, period_start', null, null),
    ('listing_now', 'listing', null, null),
    ('listing_spend_daily', 'listing, spent_on, endpoint, region', null, null),
    ('missed_night', 'region, snapshot_date', null, null),
    ('price_index', 'region, category_key, period, period_start, method, price_basis', 'period_start',
      'derived_change_seq'),
    ('product_category_now', 'product_key, category_key', null, null),
    ('product_night', 'product_key, run_id', null, null),
    ('product_now', 'product_key', null, null),
    ('product_nutrition', 'product_key, nutrient, basis', null, null),
    ('quarantine_reason', 'run_id, endpoint, path, reason', null, null),
    ('region_match', 'uk_product_key, ie_product_key', null, null),
    ('relation', 'mart', null, null),
    ('snapshot', 'region, snapshot_date', 'snapshot_date', 'change_seq')
) as key (mart, columns, night, change_key);

select ops.describe('marts.relation', $$
One row is a mart with its key. For tools that join by one column, and for copies. Columns of other marts whose names
  end with product_key or category_key join dim_product and dim_category.
mart: Name of the view.
columns: Columns that name a row, separated by ", "; nulls count as equal.
night: The column with the night of a row, if the mart can be copied by its change key.
change_key: The column of snapshot that lists the changed nights of the mart, change_seq or derived_change_seq; the mart
  itself has it as change_seq. Null if the mart cannot be copied by a change key.
$$);

-- Creates the indexes that only readers of products need, once. Filled row by row, they would cost the
-- first night 45 MB of WAL for 50,000 products instead of 10. Runs as the owner of the tables, who alone may create
-- indexes, because another role may derive the night.
create function ops.index_products() returns void language plpgsql volatile
security definer
set search_path = pg_catalog as $$
begin
  if to_regclass('catalog.product_by_words') is null then
    -- Two processes may come here at once: the second waits, and finds them made.
    lock table catalog.product, catalog.product_current, catalog.extra_listing in share row exclusive mode;
    create index if not exists product_by_words on catalog.product using gin (
      to_tsvector('simple', catalog.search_text(title, brand)));
    -- Statistics would read the words of every sampled title anew.
    alter index catalog.product_by_words alter column 1 set statistics 0;
    -- Without the region: in a small database, the planner would otherwise prefer it for look-ups by product key.
    -- The beginnings alone take a fifth of the space, and few titles share one, so that sorting those costs little.
    create index if not exists product_by_title on catalog.product (left(title, 16));
    create index if not exists product_by_tpnb on catalog.product (tpnb);
    create index if not exists product_by_gtin on catalog.product (gtin);
    create index if not exists product_by_match_key on catalog.product (match_key);
    -- Lists ordered by price read only the rows they show. Of integers, an index keeps each value once.
    create index if not exists product_current_by_price on catalog.product_current
      ((((price_minor * 0.01)::numeric(12, 2) * 100)::int));
    create index if not exists product_current_by_unit_price on catalog.product_current
      (((unit_price * 10000)::bigint));
    -- As for the columns of the table: the largest sample counts.
    alter index catalog.product_current_by_price alter column 1 set statistics 30;
    alter index catalog.product_current_by_unit_price alter column 1 set statistics 30;
    -- Lists by price add what is not for sale, which is little.
    create index if not exists product_current_not_for_sale on catalog.product_current (product_key)
      where availability <> 'available';
    -- For changes of a night.
    create index if not exists product_current_by_availability on catalog.product_current (availability_since);
    -- For the products of a category.
    create index if not exists product_current_by_leaf on catalog.product_current (leaf_key);
    create index if not exists leaf_history_by_leaf on catalog.leaf_history (leaf_key);
    create index if not exists extra_listing_by_category on catalog.extra_listing (category_key);
    create index if not exists promotion_start_by_night on derived.promotion_start (snapshot_date);
    -- Covers all columns that pages group by, for index-only scans.
    create index if not exists promotion_start_by_verdict on derived.promotion_start (region, snapshot_date,
      prior_price_check, prior_price_reason, depth_from, verdict_label, prior_nights_known);
  end if;
end $$;

-- Storage settings and statistics that table declarations cannot express.

-- Leaves room for a new version of a row on its own page: a HOT update, which touches no index. A night updates 5% of
-- the products but hardly changes how their values are distributed, so statistics stay useful for many nights.
alter table catalog.product set (fillfactor = 90, autovacuum_analyze_scale_factor = 0.5);
-- Prices change all over the catalogue: a full leaf of the key's index would split at the first change.
alter index catalog.price_history_product_key_valid_from_pk set (fillfactor = 60);
alter index catalog.availability_history_product_key_valid_from_pk set (fillfactor = 80);
-- A page row is written when it is planned, claimed and done.
alter table ops.category_page set (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
-- Rows of a night come and go every day: vacuum finds their room before the table grows by a fifth.
alter table ops.payload set (autovacuum_vacuum_scale_factor = 0.05);

-- Views show availability as text. Without statistics the planner expects 0.5% of the products where all are meant.
create statistics catalog.product_current_availability on (availability::text) from catalog.product_current;
-- A product has one price at a time. Without this the planner expects every tenth row twice and memoizes 126,000
-- lookups in vain.
create statistics catalog.price_history_moment (ndistinct)
  on product_key, valid_from, price_minor from catalog.price_history;

-- No condition reads these arrays and packed columns; analyzing them takes longer than all other columns together.
alter table derived.price_index alter column values set statistics 0, alter column counts set statistics 0;
alter table derived.period_panel alter column panel set statistics 0,
  alter column links set statistics 0;

-- Nor these long ones, in the tables of whole catalogues.
alter table catalog.product alter column image_url set statistics 0, alter column charges set statistics 0,
  alter column entry_hash set statistics 0;
alter table catalog.promotion alter column description set statistics 0;

-- A third of the usual sample describes current prices as well, and is read every second night.
alter table catalog.product_current alter column product_key set statistics 30,
  alter column price_minor set statistics 30, alter column loyalty_price_minor set statistics 30,
  alter column availability set statistics 30, alter column price_since set statistics 30,
  alter column availability_since set statistics 30, alter column offer_since set statistics 30,
  alter column offer_changes_at set statistics 30, alter column unit_price set statistics 30,
  alter column unit_of_measure set statistics 30;
alter statistics catalog.product_current_availability set statistics 30;

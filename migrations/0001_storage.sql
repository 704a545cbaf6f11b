-- The two regions are data the whole program stands on.
insert into catalog.region (region, name, currency, time_zone) values
  ('uk', 'United Kingdom', 'GBP', 'Europe/London'),
  ('ie', 'Ireland', 'EUR', 'Europe/Dublin');
--> statement-breakpoint
-- Room for closing an open row on its own page (a HOT update: no index is touched), and for new versions in the key index.
alter table catalog.price_history set (fillfactor = 90);
--> statement-breakpoint
alter table catalog.availability_history set (fillfactor = 95);
--> statement-breakpoint
alter table catalog.product set (fillfactor = 90);
--> statement-breakpoint
-- A page row is written when planned, when claimed and when done.
alter table ops.category_page set (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
-- Bodies of a run are found by hash, never updated.
alter table ops.payload_body set (fillfactor = 100);
--> statement-breakpoint
alter table catalog.price_history add constraint price_history_interval check (valid_to > valid_from);
--> statement-breakpoint
alter table catalog.availability_history add constraint availability_history_interval check (valid_to > valid_from);
--> statement-breakpoint
alter table catalog.product_history add constraint product_history_interval check (valid_to > valid_from);
--> statement-breakpoint
alter table catalog.product_promotion add constraint product_promotion_interval check (valid_to > valid_from);
--> statement-breakpoint
alter table catalog.product_category add constraint product_category_interval check (valid_to > valid_from);
--> statement-breakpoint
alter table catalog.product_detail add constraint product_detail_interval check (valid_to > valid_from);
--> statement-breakpoint
alter table catalog.price_history add constraint price_history_price check (price_minor > 0);
--> statement-breakpoint
create sequence ops.page_batch;

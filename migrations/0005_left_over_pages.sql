DROP INDEX "ops"."category_page_by_batch";--> statement-breakpoint
CREATE INDEX "category_page_by_batch" ON "ops"."category_page" USING btree ("run_id","batch_no") WHERE status = 'planned';--> statement-breakpoint
-- Prices change all over the catalogue: a full leaf of the key's index would split in two halves at the first of them.
alter index catalog.price_history_product_key_valid_from_pk set (fillfactor = 60);
--> statement-breakpoint
alter index catalog.availability_history_product_key_valid_from_pk set (fillfactor = 80);

CREATE INDEX "availability_history_by_time" ON "catalog"."availability_history" USING btree ("valid_from");--> statement-breakpoint
CREATE UNIQUE INDEX "pack_size_current" ON "derived"."pack_size" USING btree ("product_key") WHERE valid_to is null;--> statement-breakpoint
CREATE INDEX "price_history_by_time" ON "catalog"."price_history" USING btree ("valid_from");--> statement-breakpoint
CREATE INDEX "run_by_instant" ON "ops"."run" USING btree ("region","observed_at");
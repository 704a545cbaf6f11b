CREATE INDEX "match_key_by_gtin" ON "derived"."match_key" USING btree ("gtin");--> statement-breakpoint
CREATE INDEX "match_key_by_tpnb" ON "derived"."match_key" USING btree ("tpnb");--> statement-breakpoint
CREATE INDEX "match_key_by_name" ON "derived"."match_key" USING btree ("name_hash");
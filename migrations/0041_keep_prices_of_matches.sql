CREATE TABLE "derived"."region_price_spell" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	"uk_price_minor" integer NOT NULL,
	"ie_price_minor" integer NOT NULL,
	"ratio" double precision NOT NULL,
	CONSTRAINT "region_price_spell_uk_product_key_ie_product_key_valid_from_pk" PRIMARY KEY("uk_product_key","ie_product_key","valid_from")
);
--> statement-breakpoint
CREATE INDEX "region_price_spell_by_ratio" ON "derived"."region_price_spell" USING btree ("ratio","uk_product_key","ie_product_key","valid_from","valid_to");--> statement-breakpoint
CREATE INDEX "region_price_spell_by_end" ON "derived"."region_price_spell" USING btree ("valid_to");
CREATE TABLE "derived"."compared_pair" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	CONSTRAINT "compared_pair_uk_product_key_ie_product_key_pk" PRIMARY KEY("uk_product_key","ie_product_key")
);
--> statement-breakpoint
CREATE TABLE "derived"."region_jevons" (
	"category_key" integer NOT NULL,
	"snapshot_date" date NOT NULL,
	"matched" integer NOT NULL,
	"left_out" integer NOT NULL,
	"log_sum" bigint NOT NULL,
	CONSTRAINT "region_jevons_category_key_snapshot_date_pk" PRIMARY KEY("category_key","snapshot_date")
);

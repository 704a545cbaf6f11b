CREATE TABLE "derived"."match_key" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"region" text NOT NULL,
	"input_hash" uuid NOT NULL,
	"gtin" text,
	"tpnb" text,
	"brand" text,
	"name_hash" uuid NOT NULL,
	"content" numeric,
	"measure" text,
	"pieces" smallint
);
--> statement-breakpoint
CREATE TABLE "derived"."region_pair" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	"tier" smallint NOT NULL,
	"score" numeric(3, 2) NOT NULL,
	"alarm" text,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "region_pair_uk_product_key_ie_product_key_pk" PRIMARY KEY("uk_product_key","ie_product_key")
);
--> statement-breakpoint
CREATE INDEX "region_pair_by_ie" ON "derived"."region_pair" USING btree ("ie_product_key");
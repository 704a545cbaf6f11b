CREATE TABLE "stage"."reserved_key" (
	"region" text NOT NULL,
	"product_id" text NOT NULL,
	"product_key" integer NOT NULL,
	CONSTRAINT "reserved_key_region_product_id_pk" PRIMARY KEY("region","product_id")
);

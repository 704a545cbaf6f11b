CREATE TABLE "derived"."pack_size" (
	"product_key" integer NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	"pack_size" numeric NOT NULL,
	"pack_measure" text NOT NULL,
	"pack_count" smallint,
	"source" text NOT NULL,
	CONSTRAINT "pack_size_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);

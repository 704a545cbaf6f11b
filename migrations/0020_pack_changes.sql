CREATE TABLE "derived"."pack_change" (
	"region" text NOT NULL,
	"product_key" integer NOT NULL,
	"former_product_key" integer,
	"changed_at" timestamp with time zone NOT NULL,
	"snapshot_date" date NOT NULL,
	"confirmed_on" date NOT NULL,
	"route" text NOT NULL,
	"measure" text NOT NULL,
	"old_size" numeric NOT NULL,
	"new_size" numeric NOT NULL,
	"old_price_minor" integer,
	"new_price_minor" integer,
	"evidence" text NOT NULL,
	"score" numeric(3, 2) NOT NULL,
	CONSTRAINT "pack_change_product_key_snapshot_date_pk" PRIMARY KEY("product_key","snapshot_date")
);
--> statement-breakpoint
CREATE TABLE "derived"."unit_price_mistake" (
	"product_key" integer NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	"price_minor" integer NOT NULL,
	"unit_price" numeric NOT NULL,
	"unit_of_measure" text NOT NULL,
	"pack_size" numeric NOT NULL,
	"pack_measure" text NOT NULL,
	"expected_unit_price" numeric NOT NULL,
	"evidence" text NOT NULL,
	CONSTRAINT "unit_price_mistake_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);
--> statement-breakpoint
CREATE INDEX "pack_change_by_night" ON "derived"."pack_change" USING btree ("region","confirmed_on");
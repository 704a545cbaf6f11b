CREATE TABLE "derived"."promotion_start" (
	"product_key" integer NOT NULL,
	"promotion_key" integer NOT NULL,
	"seen_from" timestamp with time zone NOT NULL,
	"snapshot_date" date NOT NULL,
	"began_on" date NOT NULL,
	"price_minor" integer,
	"unit_price" numeric,
	"lowest_price_minor" integer,
	"nights_known" smallint NOT NULL,
	"reduced_price" numeric,
	"series_began_on" date,
	"prior_price" numeric,
	"prior_nights_known" smallint,
	"usual_price_minor" integer,
	"usual_nights" smallint,
	"usual_nights_known" smallint NOT NULL,
	CONSTRAINT "promotion_start_product_key_promotion_key_seen_from_pk" PRIMARY KEY("product_key","promotion_key","seen_from")
);
--> statement-breakpoint
ALTER TABLE "catalog"."promotion" ADD COLUMN "was_price_minor" integer;--> statement-breakpoint
ALTER TABLE "catalog"."promotion" ADD COLUMN "now_price_minor" integer;--> statement-breakpoint
ALTER TABLE "catalog"."promotion" ADD COLUMN "saving_minor" integer;--> statement-breakpoint
ALTER TABLE "stage"."promotion" ADD COLUMN "was_price_minor" integer;--> statement-breakpoint
ALTER TABLE "stage"."promotion" ADD COLUMN "now_price_minor" integer;--> statement-breakpoint
ALTER TABLE "stage"."promotion" ADD COLUMN "saving_minor" integer;--> statement-breakpoint
CREATE INDEX "promotion_start_by_night" ON "derived"."promotion_start" USING btree ("snapshot_date");--> statement-breakpoint
CREATE INDEX "product_promotion_by_time" ON "catalog"."product_promotion" USING brin ("valid_from");
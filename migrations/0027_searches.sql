CREATE TABLE "ops"."detail_wish" (
	"region" text NOT NULL,
	"product_id" text NOT NULL,
	"reason" text NOT NULL,
	"wished_at" timestamp with time zone NOT NULL,
	CONSTRAINT "detail_wish_region_product_id_pk" PRIMARY KEY("region","product_id")
);
--> statement-breakpoint
CREATE TABLE "catalog"."found_product" (
	"region" text NOT NULL,
	"product_id" text NOT NULL,
	"keyword" text NOT NULL,
	"title" text NOT NULL,
	"brand" text,
	"tpnb" text,
	"gtin" text,
	"image_url" text,
	"is_for_sale" boolean NOT NULL,
	"price_minor" integer,
	"first_found_at" timestamp with time zone NOT NULL,
	"last_found_at" timestamp with time zone NOT NULL,
	CONSTRAINT "found_product_region_product_id_pk" PRIMARY KEY("region","product_id")
);
--> statement-breakpoint
CREATE TABLE "ops"."keyword_search" (
	"region" text NOT NULL,
	"keyword" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"status" "ops"."page_status" DEFAULT 'planned' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"declared_total" integer,
	"received" smallint,
	"rejected" smallint,
	"payload_sha256" "bytea",
	"searched_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "keyword_search_region_keyword_snapshot_date_pk" PRIMARY KEY("region","keyword","snapshot_date")
);
--> statement-breakpoint
CREATE TABLE "catalog"."search_filter" (
	"region" text NOT NULL,
	"keyword" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"position" smallint NOT NULL,
	"category_id" text,
	"name" text NOT NULL,
	CONSTRAINT "search_filter_region_keyword_snapshot_date_position_pk" PRIMARY KEY("region","keyword","snapshot_date","position")
);
--> statement-breakpoint
ALTER TABLE "catalog"."search_rank" ADD COLUMN "title" text;--> statement-breakpoint
ALTER TABLE "catalog"."search_rank" ADD COLUMN "brand" text;--> statement-breakpoint
ALTER TABLE "catalog"."search_rank" ADD COLUMN "sponsored" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."search_rank" ADD COLUMN "is_for_sale" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."search_rank" ADD COLUMN "price_minor" integer;
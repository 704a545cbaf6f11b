CREATE SCHEMA "catalog";
--> statement-breakpoint
CREATE SCHEMA "ops";
--> statement-breakpoint
CREATE SCHEMA "stage";
--> statement-breakpoint
CREATE TYPE "catalog"."availability" AS ENUM('available', 'unavailable', 'absent', 'delisted');--> statement-breakpoint
CREATE TYPE "ops"."page_status" AS ENUM('planned', 'done', 'failed');--> statement-breakpoint
CREATE TYPE "ops"."listing_state" AS ENUM('ok', 'quota', 'denied', 'failing');--> statement-breakpoint
CREATE TYPE "catalog"."membership_source" AS ENUM('breadcrumb', 'listing');--> statement-breakpoint
CREATE TYPE "ops"."run_phase" AS ENUM('taxonomy', 'listing', 'details', 'finishing', 'over');--> statement-breakpoint
CREATE TYPE "ops"."run_status" AS ENUM('open', 'held', 'published', 'abandoned');--> statement-breakpoint
CREATE TYPE "ops"."verdict" AS ENUM('complete', 'complete_within_tolerance', 'partial');--> statement-breakpoint
CREATE TABLE "catalog"."availability_history" (
	"product_key" integer NOT NULL,
	"availability" "catalog"."availability" NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "availability_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "ops"."category_crawl" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"category_id" text NOT NULL,
	"root_no" integer NOT NULL,
	"is_descended" boolean DEFAULT false NOT NULL,
	"declared_first" integer,
	"declared_last" integer,
	"results_per_page" smallint,
	"pages_planned" integer DEFAULT 0 NOT NULL,
	"repairs" smallint DEFAULT 0 NOT NULL,
	"distinct_seen" integer,
	CONSTRAINT "category_crawl_run_id_category_no_pk" PRIMARY KEY("run_id","category_no")
);
--> statement-breakpoint
CREATE TABLE "ops"."category_page" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"page_no" integer NOT NULL,
	"reading" smallint DEFAULT 1 NOT NULL,
	"batch_no" integer NOT NULL,
	"status" "ops"."page_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"lease" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"queued_at" timestamp with time zone,
	"items_received" smallint,
	"distinct_products" smallint,
	"rejected" smallint,
	"declared_total" integer,
	"seen_keys" integer[],
	"extra_keys" integer[],
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "category_page_run_id_category_no_page_no_reading_pk" PRIMARY KEY("run_id","category_no","page_no","reading")
);
--> statement-breakpoint
CREATE TABLE "catalog"."category" (
	"category_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."category_category_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"category_id" text NOT NULL,
	"name" text NOT NULL,
	"label" text NOT NULL,
	"depth" smallint NOT NULL,
	"parent_key" integer,
	"path" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone,
	CONSTRAINT "category_region_id" UNIQUE("region","category_id")
);
--> statement-breakpoint
CREATE TABLE "ops"."certificate" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"verdict" "ops"."verdict" NOT NULL,
	"reasons" text[] NOT NULL,
	"evidence" jsonb NOT NULL,
	"content_hash" "bytea",
	"computed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."conflict" (
	"run_id" integer NOT NULL,
	"product_id" text NOT NULL,
	"forms" integer NOT NULL,
	"won_by_category_no" integer NOT NULL,
	"won_by_page_no" integer NOT NULL,
	"listing_hash" uuid NOT NULL,
	CONSTRAINT "conflict_run_id_product_id_pk" PRIMARY KEY("run_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "ops"."detail_fetch" (
	"run_id" integer NOT NULL,
	"product_id" text NOT NULL,
	"batch_no" integer NOT NULL,
	"reason" text NOT NULL,
	"status" "ops"."page_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"lease" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"queued_at" timestamp with time zone,
	"outcome" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "detail_fetch_run_id_product_id_pk" PRIMARY KEY("run_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "ops"."listing_health" (
	"listing" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"state" "ops"."listing_state" DEFAULT 'ok' NOT NULL,
	"paused_until" timestamp with time zone,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"last_ok_at" timestamp with time zone,
	"last_error_at" timestamp with time zone,
	"last_error" text,
	"quota_limit" integer,
	"quota_remaining" integer,
	"quota_resets_at" timestamp with time zone,
	"quota_seen_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ops"."missed_night" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"noticed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "missed_night_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
--> statement-breakpoint
CREATE TABLE "ops"."payload" (
	"payload_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."payload_payload_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sha256" "bytea" NOT NULL,
	"run_id" integer,
	"region" text,
	"listing" text NOT NULL,
	"endpoint" text NOT NULL,
	"host" text NOT NULL,
	"request" text NOT NULL,
	"status" smallint NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."payload_body" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"pack" text NOT NULL,
	"byte_offset" bigint NOT NULL,
	"stored_bytes" integer NOT NULL,
	"raw_bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalog"."price_history" (
	"product_key" integer NOT NULL,
	"price_minor" integer,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"unit_price" numeric,
	"unit_of_measure" text,
	CONSTRAINT "price_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product_category" (
	"product_key" integer NOT NULL,
	"category_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"source" "catalog"."membership_source" NOT NULL,
	CONSTRAINT "product_category_product_key_category_key_valid_from_pk" PRIMARY KEY("product_key","category_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product_detail" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"detail_hash" uuid NOT NULL,
	"description" text,
	"ingredients" text,
	"allergens" text[] NOT NULL,
	"pack_size" numeric,
	"pack_measure" text,
	"pack_count" smallint,
	"storage" text,
	"product_type" text,
	"status" text,
	CONSTRAINT "product_detail_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product_history" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"tpnb" text,
	"gtin" text,
	"title" text NOT NULL,
	"brand" text,
	"image_url" text,
	CONSTRAINT "product_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product_nutrition" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"nutrient" text NOT NULL,
	"basis" text NOT NULL,
	"amount" numeric NOT NULL,
	"unit" text NOT NULL,
	"is_upper_bound" boolean NOT NULL,
	"printed" text NOT NULL,
	CONSTRAINT "product_nutrition_product_key_valid_from_nutrient_basis_pk" PRIMARY KEY("product_key","valid_from","nutrient","basis")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product_promotion" (
	"product_key" integer NOT NULL,
	"promotion_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "product_promotion_product_key_promotion_key_valid_from_pk" PRIMARY KEY("product_key","promotion_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product" (
	"product_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."product_product_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"product_id" text NOT NULL,
	"tpnb" text,
	"gtin" text,
	"title" text NOT NULL,
	"brand" text,
	"image_url" text,
	"is_for_sale" boolean NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"listing_hash" uuid NOT NULL,
	CONSTRAINT "product_region_id" UNIQUE("region","product_id")
);
--> statement-breakpoint
CREATE TABLE "catalog"."promotion" (
	"promotion_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."promotion_promotion_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"promotion_hash" uuid NOT NULL,
	"description" text NOT NULL,
	"offer_type" text,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"kind" text NOT NULL,
	"loyalty_price_minor" integer,
	"loyalty_unit_price" numeric,
	"loyalty_unit_measure" text,
	"quantity" smallint,
	"pay_quantity" smallint,
	"deal_price_minor" integer,
	"save_percent" numeric,
	CONSTRAINT "promotion_region_hash" UNIQUE("region","promotion_hash")
);
--> statement-breakpoint
CREATE TABLE "ops"."quarantine" (
	"quarantine_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."quarantine_quarantine_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" integer,
	"region" text,
	"endpoint" text NOT NULL,
	"path" text NOT NULL,
	"reason" text NOT NULL,
	"value" text,
	"payload_sha256" "bytea",
	"seen_at" timestamp with time zone NOT NULL,
	"healed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "catalog"."region" (
	"region" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."run" (
	"run_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."run_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"status" "ops"."run_status" DEFAULT 'open' NOT NULL,
	"phase" "ops"."run_phase" DEFAULT 'taxonomy' NOT NULL,
	"epoch" integer DEFAULT 1 NOT NULL,
	"max_details" integer NOT NULL,
	"pages_per_batch" integer NOT NULL,
	"origin" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"verdict" "ops"."verdict",
	"products_listed" integer,
	"products_available" integer,
	"requests_spent" integer,
	"paused_for" text,
	"paused_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "catalog"."search_rank" (
	"region" text NOT NULL,
	"keyword" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"rank" smallint NOT NULL,
	"product_id" text NOT NULL,
	CONSTRAINT "search_rank_region_keyword_snapshot_date_rank_pk" PRIMARY KEY("region","keyword","snapshot_date","rank")
);
--> statement-breakpoint
CREATE TABLE "ops"."listing_pace" (
	"listing" text PRIMARY KEY NOT NULL,
	"next_slot_ms" double precision DEFAULT 0 NOT NULL,
	"sent_ms" double precision[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."listing_quota" (
	"listing" text PRIMARY KEY NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"used" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."spend" (
	"listing" text NOT NULL,
	"endpoint" text NOT NULL,
	"region" text,
	"run_id" integer,
	"hour" timestamp with time zone NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"ok" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"rate_limited" integer DEFAULT 0 NOT NULL,
	"quota" integer DEFAULT 0 NOT NULL,
	"denied" integer DEFAULT 0 NOT NULL,
	"aborted" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "spend_once_an_hour" UNIQUE NULLS NOT DISTINCT("listing","hour","endpoint","region","run_id")
);
--> statement-breakpoint
CREATE TABLE "stage"."category" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"category_id" text NOT NULL,
	"parent_no" integer,
	"name" text NOT NULL,
	"label" text NOT NULL,
	"depth" smallint NOT NULL,
	"path" text NOT NULL,
	CONSTRAINT "category_run_id_category_no_pk" PRIMARY KEY("run_id","category_no")
);
--> statement-breakpoint
CREATE TABLE "stage"."detail" (
	"run_id" integer NOT NULL,
	"product_id" text NOT NULL,
	"detail_hash" uuid NOT NULL,
	"description" text,
	"ingredients" text,
	"allergens" text[] NOT NULL,
	"pack_size" numeric,
	"pack_measure" text,
	"pack_count" smallint,
	"storage" text,
	"product_type" text,
	"status" text,
	"nutrition" jsonb NOT NULL,
	CONSTRAINT "detail_run_id_product_id_pk" PRIMARY KEY("run_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "stage"."listing" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"page_no" integer NOT NULL,
	"reading" smallint NOT NULL,
	"position" smallint NOT NULL,
	"product_id" text NOT NULL,
	"product_key" integer,
	"listing_hash" uuid NOT NULL,
	"tpnb" text,
	"gtin" text,
	"title" text NOT NULL,
	"brand" text,
	"image_url" text,
	"is_for_sale" boolean NOT NULL,
	"price_minor" integer,
	"unit_price" numeric,
	"unit_of_measure" text,
	"leaf_no" integer,
	"leaf_id" text,
	"is_extra" boolean NOT NULL,
	"promotion_hashes" uuid[]
);
--> statement-breakpoint
CREATE TABLE "stage"."promotion" (
	"run_id" integer NOT NULL,
	"promotion_hash" uuid NOT NULL,
	"description" text NOT NULL,
	"offer_type" text,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"kind" text NOT NULL,
	"loyalty_price_minor" integer,
	"loyalty_unit_price" numeric,
	"loyalty_unit_measure" text,
	"quantity" smallint,
	"pay_quantity" smallint,
	"deal_price_minor" integer,
	"save_percent" numeric,
	CONSTRAINT "promotion_run_id_promotion_hash_pk" PRIMARY KEY("run_id","promotion_hash")
);
--> statement-breakpoint
CREATE TABLE "catalog"."store_hours" (
	"store_id" text NOT NULL,
	"weekday" smallint NOT NULL,
	"opens_minute" integer,
	"closes_minute" integer,
	"printed" text NOT NULL,
	CONSTRAINT "store_hours_store_id_weekday_pk" PRIMARY KEY("store_id","weekday")
);
--> statement-breakpoint
CREATE TABLE "catalog"."store" (
	"store_id" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"store_type" text,
	"latitude" double precision,
	"longitude" double precision,
	"address1" text,
	"address2" text,
	"city" text,
	"state" text,
	"postal_code" text,
	"country" text,
	"phone" text,
	"email" text,
	"time_zone" text,
	"is_curbside_enabled" boolean,
	"first_seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."worker" (
	"worker_id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"alive_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ops"."category_crawl" ADD CONSTRAINT "category_crawl_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."category_page" ADD CONSTRAINT "category_page_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog"."category" ADD CONSTRAINT "category_region_region_region_fk" FOREIGN KEY ("region") REFERENCES "catalog"."region"("region") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."certificate" ADD CONSTRAINT "certificate_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."conflict" ADD CONSTRAINT "conflict_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."detail_fetch" ADD CONSTRAINT "detail_fetch_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog"."product_nutrition" ADD CONSTRAINT "product_nutrition_product_key_valid_from_product_detail_product_key_valid_from_fk" FOREIGN KEY ("product_key","valid_from") REFERENCES "catalog"."product_detail"("product_key","valid_from") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog"."product" ADD CONSTRAINT "product_region_region_region_fk" FOREIGN KEY ("region") REFERENCES "catalog"."region"("region") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog"."promotion" ADD CONSTRAINT "promotion_region_region_region_fk" FOREIGN KEY ("region") REFERENCES "catalog"."region"("region") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."run" ADD CONSTRAINT "run_region_region_region_fk" FOREIGN KEY ("region") REFERENCES "catalog"."region"("region") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog"."store_hours" ADD CONSTRAINT "store_hours_store_id_store_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "catalog"."store"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "category_page_by_batch" ON "ops"."category_page" USING btree ("run_id","batch_no");--> statement-breakpoint
CREATE INDEX "detail_fetch_by_batch" ON "ops"."detail_fetch" USING btree ("run_id","batch_no");--> statement-breakpoint
CREATE INDEX "payload_by_run" ON "ops"."payload" USING btree ("run_id","endpoint");--> statement-breakpoint
CREATE INDEX "payload_by_sha256" ON "ops"."payload" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "product_category_by_category" ON "catalog"."product_category" USING btree ("category_key");--> statement-breakpoint
CREATE INDEX "product_promotion_by_promotion" ON "catalog"."product_promotion" USING btree ("promotion_key");--> statement-breakpoint
CREATE INDEX "quarantine_by_run" ON "ops"."quarantine" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "quarantine_by_payload" ON "ops"."quarantine" USING btree ("payload_sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "run_one_open_per_region" ON "ops"."run" USING btree ("region") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "run_one_scheduled_per_night" ON "ops"."run" USING btree ("region","snapshot_date") WHERE origin = 'schedule';--> statement-breakpoint
CREATE INDEX "run_by_night" ON "ops"."run" USING btree ("region","snapshot_date","run_id");
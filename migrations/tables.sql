-- Generated from src/db/tables by `npm run db:baseline`; do not edit.
CREATE SCHEMA "catalog";
CREATE SCHEMA "derived";
CREATE SCHEMA "ops";
CREATE SCHEMA "stage";
CREATE TYPE "ops"."alert_event" AS ENUM('raised', 'reminder', 'over');
CREATE TYPE "catalog"."availability" AS ENUM('available', 'unavailable', 'absent', 'delisted');
CREATE TYPE "catalog"."membership_source" AS ENUM('breadcrumb', 'listing', 'details');
CREATE TYPE "ops"."page_status" AS ENUM('planned', 'done', 'failed');
CREATE TYPE "ops"."probe_outcome" AS ENUM('answered', 'denied', 'missing', 'failed', 'not_asked');
CREATE TYPE "ops"."run_clock" AS ENUM('machine', 'played');
CREATE TYPE "ops"."run_phase" AS ENUM('taxonomy', 'categories', 'details', 'finishing', 'over');
CREATE TYPE "ops"."run_status" AS ENUM('open', 'held', 'published', 'abandoned', 'expired');
CREATE TYPE "ops"."severity" AS ENUM('warn', 'block');
CREATE TYPE "ops"."stop_reason" AS ENUM('key_refused', 'quota_used_up', 'nothing_left', 'failing', 'limit', 'upstream',
		'moved', 'room', 'failure', 'idle');
CREATE TYPE "ops"."stop_scope" AS ENUM('key', 'listing', 'run');
CREATE TYPE "ops"."store_refresh_status" AS ENUM('open', 'published', 'abandoned');
CREATE TYPE "ops"."verdict" AS ENUM('complete', 'complete_within_tolerance', 'partial');
CREATE TYPE "ops"."world_kind" AS ENUM('simulated', 'live');
CREATE SEQUENCE "ops"."change_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
CREATE TABLE "ops"."alert" (
	"alert_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."alert_alert_id_seq" INCREMENT BY 1
		MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"says" text NOT NULL,
	"advice" text NOT NULL,
	"raised_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone NOT NULL,
	"over_at" timestamp with time zone
);
CREATE TABLE "ops"."alert_delivery" (
	"delivery_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."alert_delivery_delivery_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"alert_id" bigint NOT NULL,
	"event" "ops"."alert_event" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	"last_error" text
);
CREATE TABLE "catalog"."availability_history" (
	"product_key" integer NOT NULL,
	"availability" "catalog"."availability" NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	CONSTRAINT "availability_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "availability_history_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "catalog"."category" (
	"category_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."category_category_key_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
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
CREATE TABLE "catalog"."category_ancestor" (
	"category_key" integer NOT NULL,
	"ancestor_key" integer NOT NULL,
	"is_itself" boolean NOT NULL,
	CONSTRAINT "category_ancestor_category_key_ancestor_key_pk" PRIMARY KEY("category_key","ancestor_key")
);
CREATE TABLE "ops"."category_crawl" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"category_id" text NOT NULL,
	"root_no" integer NOT NULL,
	"is_descended" boolean DEFAULT false NOT NULL,
	"is_sample" boolean DEFAULT false NOT NULL,
	"declared_first" integer,
	"declared_last" integer,
	"results_per_page" smallint,
	"pages_planned" integer DEFAULT 0 NOT NULL,
	"repairs" smallint DEFAULT 0 NOT NULL,
	"distinct_seen" integer,
	CONSTRAINT "category_crawl_run_id_category_no_pk" PRIMARY KEY("run_id","category_no")
);
CREATE TABLE "ops"."category_deferred" (
	"run_id" integer NOT NULL,
	"category_id" text NOT NULL,
	"pages" integer NOT NULL,
	"last_read_on" date,
	CONSTRAINT "category_deferred_run_id_category_id_pk" PRIMARY KEY("run_id","category_id")
);
CREATE TABLE "ops"."category_page" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"page_no" integer NOT NULL,
	"reading" smallint DEFAULT 1 NOT NULL,
	"status" "ops"."page_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"lease" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"items_received" smallint,
	"distinct_products" smallint,
	"rejected" smallint,
	"declared_total" integer,
	"seen_keys" integer[],
	"extra_keys" integer[],
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "category_page_run_id_category_no_page_no_reading_pk" PRIMARY
		KEY("run_id","category_no","page_no","reading")
);
CREATE TABLE "ops"."certificate" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"verdict" "ops"."verdict" NOT NULL,
	"reasons" text[] NOT NULL,
	"evidence" jsonb NOT NULL,
	"content_hash" numeric,
	"computed_at" timestamp with time zone NOT NULL,
	"changed_keys" integer[],
	"released_because" text,
	"released_from" "ops"."run_status",
	"verified_at" timestamp with time zone,
	"is_verified" boolean
);
CREATE TABLE "derived"."compared_pair" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	CONSTRAINT "compared_pair_uk_product_key_ie_product_key_pk" PRIMARY KEY("uk_product_key","ie_product_key")
);
CREATE TABLE "derived"."daily_figure" (
	"region" text NOT NULL,
	"category_key" integer NOT NULL,
	"snapshot_date" date NOT NULL,
	"products_listed" integer NOT NULL,
	"products_priced" integer NOT NULL,
	"products_available" integer NOT NULL,
	"products_on_promotion" integer NOT NULL,
	"products_with_loyalty_price" integer NOT NULL,
	"price_sum_minor" bigint NOT NULL,
	"median_price_doubled" bigint,
	"loyalty_discount_pct_sum" double precision NOT NULL,
	"arrivals" integer,
	"departures" integer,
	"price_increases" integer,
	"price_decreases" integer,
	CONSTRAINT "daily_figure_region_category_key_snapshot_date_pk" PRIMARY KEY("region","category_key","snapshot_date")
);
CREATE TABLE "derived"."night" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"run_id" integer NOT NULL,
	"rules" smallint NOT NULL,
	CONSTRAINT "night_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
CREATE TABLE "derived"."night_change" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"change_seq" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"open_seq" bigint NOT NULL,
	"open_updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "night_change_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
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
CREATE TABLE "ops"."detail_fetch" (
	"run_id" integer NOT NULL,
	"product_id" text NOT NULL,
	"place" integer NOT NULL,
	"reason" text NOT NULL,
	"status" "ops"."page_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"lease" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"outcome" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "detail_fetch_run_id_product_id_pk" PRIMARY KEY("run_id","product_id")
);
CREATE TABLE "ops"."detail_visit" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"visited_at" timestamp with time zone,
	"requested_at" timestamp with time zone
);
CREATE TABLE "derived"."extra_field" (
	"name" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"written" text NOT NULL
);
CREATE TABLE "derived"."extra_night" (
	"name" text NOT NULL,
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"run_id" integer NOT NULL,
	"unfit" integer NOT NULL,
	"reason" text,
	CONSTRAINT "extra_night_region_snapshot_date_name_pk" PRIMARY KEY("region","snapshot_date","name")
);
CREATE TABLE "derived"."extra_value" (
	"product_key" integer NOT NULL,
	"name" text NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	"value" text NOT NULL,
	CONSTRAINT "extra_value_product_key_name_valid_from_pk" PRIMARY KEY("product_key","name","valid_from")
);
CREATE TABLE "ops"."finding" (
	"run_id" integer NOT NULL,
	"name" text NOT NULL,
	"severity" "ops"."severity" NOT NULL,
	"found" integer NOT NULL,
	"message" text NOT NULL,
	"samples" text[] NOT NULL,
	CONSTRAINT "finding_run_id_name_pk" PRIMARY KEY("run_id","name")
);
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
CREATE TABLE "ops"."fx_rate" (
	"base" text NOT NULL,
	"quote" text NOT NULL,
	"on_date" date NOT NULL,
	"rate" numeric NOT NULL,
	"source" text NOT NULL,
	"loaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fx_rate_base_quote_on_date_pk" PRIMARY KEY("base","quote","on_date")
);
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
	"change_seq" bigint,
	"updated_at" timestamp with time zone,
	CONSTRAINT "keyword_search_region_keyword_snapshot_date_pk" PRIMARY KEY("region","keyword","snapshot_date")
);
CREATE TABLE "ops"."listing" (
	"listing" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"next_slot_ms" double precision DEFAULT 0 NOT NULL,
	"slot_holder" uuid,
	"slot_guard_ms" double precision DEFAULT 0 NOT NULL,
	"month_starts_at" timestamp with time zone,
	"month_ends_at" timestamp with time zone,
	"month_limit" bigint,
	"used" bigint DEFAULT 0 NOT NULL,
	"used_by_others" bigint DEFAULT 0 NOT NULL,
	"used_before" bigint DEFAULT 0 NOT NULL,
	"used_at_end" bigint DEFAULT 0 NOT NULL,
	"last_key" text,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"last_ok_at" timestamp with time zone,
	"last_error_at" timestamp with time zone,
	"last_error" text,
	"quota_limit" integer,
	"quota_remaining" integer,
	"quota_resets_at" timestamp with time zone,
	"quota_seen_at" timestamp with time zone,
	"quota_key" text
);
CREATE TABLE "ops"."listing_move" (
	"move_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."listing_move_move_id_seq" INCREMENT BY
		1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"listing" text NOT NULL,
	"from_base_url" text NOT NULL,
	"from_host" text NOT NULL,
	"to_base_url" text NOT NULL,
	"to_host" text NOT NULL,
	"moved_at" timestamp with time zone NOT NULL,
	"rolled_back_at" timestamp with time zone,
	"units_used" bigint DEFAULT 0 NOT NULL
);
CREATE TABLE "ops"."listing_probe" (
	"listing" text NOT NULL,
	"probed_at" timestamp with time zone NOT NULL,
	"host" text NOT NULL,
	"endpoint" text NOT NULL,
	"outcome" "ops"."probe_outcome" NOT NULL,
	"latency_ms" integer,
	"said" text,
	CONSTRAINT "listing_probe_listing_probed_at_host_pk" PRIMARY KEY("listing","probed_at","host")
);
CREATE TABLE "ops"."listing_window" (
	"listing" text NOT NULL,
	"window_ms" bigint NOT NULL,
	"piece" bigint NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "listing_window_listing_window_ms_piece_pk" PRIMARY KEY("listing","window_ms","piece")
);
CREATE TABLE "derived"."match_key" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"name_key" bigint NOT NULL
);
CREATE TABLE "ops"."missed_night" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"noticed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "missed_night_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
CREATE TABLE "ops"."night_change" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"change_seq" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"open_seq" bigint NOT NULL,
	"open_updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "night_change_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
CREATE TABLE "catalog"."offer_history" (
	"product_key" integer NOT NULL,
	"loyalty_price_minor" integer,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	CONSTRAINT "offer_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "offer_history_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "ops"."page_window" (
	"region" text PRIMARY KEY NOT NULL,
	"last_page" integer NOT NULL,
	"learned_at" timestamp with time zone NOT NULL
);
CREATE TABLE "ops"."payload" (
	"payload_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."payload_payload_id_seq" INCREMENT BY
		1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
CREATE TABLE "ops"."payload_body" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"pack" text NOT NULL,
	"byte_offset" bigint NOT NULL,
	"stored_bytes" integer NOT NULL,
	"raw_bytes" integer NOT NULL
);
CREATE TABLE "ops"."payload_profile" (
	"run_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"payloads" integer NOT NULL,
	"profile" jsonb NOT NULL,
	"rules" smallint NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payload_profile_run_id_endpoint_pk" PRIMARY KEY("run_id","endpoint")
);
CREATE TABLE "derived"."period_panel" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"period_start" date NOT NULL,
	"through_date" date NOT NULL,
	"panel" "bytea",
	"base_panel" "bytea",
	"links" "bytea",
	CONSTRAINT "period_panel_region_period_period_start_pk" PRIMARY KEY("region","period","period_start")
);
CREATE TABLE "catalog"."price_history" (
	"product_key" integer NOT NULL,
	"price_minor" integer,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"unit_price" numeric(14, 4),
	"unit_of_measure" text,
	CONSTRAINT "price_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "price_history_interval" CHECK (valid_to > valid_from),
	CONSTRAINT "price_history_price" CHECK (price_minor > 0)
);
CREATE TABLE "derived"."price_index" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"category_key" integer NOT NULL,
	"period_start" date NOT NULL,
	"base_start" date NOT NULL,
	"nights" smallint NOT NULL,
	"base_nights" smallint NOT NULL,
	"values" double precision[] NOT NULL,
	"counts" integer[] NOT NULL,
	"arrivals" integer,
	"departures" integer,
	"derived_on" date NOT NULL,
	CONSTRAINT "price_index_region_period_category_key_period_start_pk" PRIMARY
		KEY("region","period","category_key","period_start")
);
CREATE TABLE "derived"."price_index_vintage" (
	"region" text NOT NULL,
	"category_key" integer NOT NULL,
	"period" text NOT NULL,
	"period_start" date NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"base_start" date NOT NULL,
	"values" double precision[] NOT NULL,
	CONSTRAINT "price_index_vintage_region_category_key_period_period_start_published_at_pk" PRIMARY
		KEY("region","category_key","period","period_start","published_at")
);
CREATE TABLE "derived"."price_move" (
	"region" text NOT NULL,
	"since" date NOT NULL,
	"until" date NOT NULL,
	"price_basis" text NOT NULL,
	"product_keys" integer[] NOT NULL,
	"prices_before" integer[] NOT NULL,
	"prices_after" integer[] NOT NULL,
	CONSTRAINT "price_move_region_since_price_basis_pk" PRIMARY KEY("region","since","price_basis")
);
CREATE TABLE "derived"."price_step" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"price_basis" text NOT NULL,
	"product_keys" integer[] NOT NULL,
	"prices_before" integer[] NOT NULL,
	"prices_after" integer[] NOT NULL,
	"steady" integer NOT NULL,
	CONSTRAINT "price_step_region_snapshot_date_price_basis_pk" PRIMARY KEY("region","snapshot_date","price_basis")
);
CREATE TABLE "catalog"."private_label" (
	"brand_key" text PRIMARY KEY NOT NULL
);
CREATE TABLE "catalog"."product" (
	"product_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."product_product_key_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"product_id" text NOT NULL,
	"tpnb" text,
	"gtin" text,
	"has_gtin_of_details" boolean DEFAULT false NOT NULL,
	"title" text NOT NULL,
	"brand" text,
	"image_url" text,
	"seller" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"is_for_sale" boolean NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"replaced_at" timestamp with time zone,
	"valid_from" timestamp with time zone NOT NULL,
	"entry_hash" uuid NOT NULL
);
CREATE TABLE "catalog"."product_category" (
	"product_key" integer NOT NULL,
	"category_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"source" "catalog"."membership_source" NOT NULL,
	CONSTRAINT "product_category_product_key_category_key_valid_from_pk" PRIMARY
		KEY("product_key","category_key","valid_from"),
	CONSTRAINT "product_category_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "catalog"."product_current" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"price_minor" integer,
	"loyalty_price_minor" integer,
	"availability" "catalog"."availability" NOT NULL,
	"price_since" timestamp with time zone NOT NULL,
	"availability_since" timestamp with time zone NOT NULL,
	"offer_since" timestamp with time zone,
	"next_turn" timestamp with time zone,
	"unit_price" numeric(14, 4),
	"unit_of_measure" text,
	CONSTRAINT "product_current_price" CHECK (price_minor > 0)
);
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
	"gtin" text,
	"leaf_id" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"product_type" text,
	"status" text,
	CONSTRAINT "product_detail_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "product_detail_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "catalog"."product_history" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"tpnb" text,
	"gtin" text,
	"title" text NOT NULL,
	"brand" text,
	"image_url" text,
	"seller" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	CONSTRAINT "product_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "product_history_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "catalog"."product_nutrition" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"nutrient" text NOT NULL,
	"basis" text NOT NULL,
	"amount" numeric NOT NULL,
	"unit" text NOT NULL,
	"is_upper_bound" boolean NOT NULL,
	"printed" text NOT NULL,
	CONSTRAINT "product_nutrition_product_key_valid_from_nutrient_basis_pk" PRIMARY
		KEY("product_key","valid_from","nutrient","basis")
);
CREATE TABLE "catalog"."product_promotion" (
	"product_key" integer NOT NULL,
	"promotion_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "product_promotion_product_key_promotion_key_valid_from_pk" PRIMARY
		KEY("product_key","promotion_key","valid_from"),
	CONSTRAINT "product_promotion_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "catalog"."promotion" (
	"promotion_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."promotion_promotion_key_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
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
	"was_price_minor" integer,
	"now_price_minor" integer,
	"saving_minor" integer,
	"deposit_minor" integer,
	CONSTRAINT "promotion_region_hash" UNIQUE("region","promotion_hash")
);
CREATE TABLE "derived"."promotion_start" (
	"product_key" integer NOT NULL,
	"promotion_key" integer NOT NULL,
	"seen_from" timestamp with time zone NOT NULL,
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"began_on" date NOT NULL,
	"price_minor" integer,
	"unit_price" numeric,
	"lowest_price_minor" integer,
	"nights_known" smallint NOT NULL,
	"reduced_price" numeric,
	"series_began_on" date,
	"prior_price" numeric,
	"prior_member_price" numeric,
	"prior_nights_known" smallint,
	"usual_price_minor" integer,
	"usual_nights" smallint,
	"usual_nights_known" smallint NOT NULL,
	"reference_price" numeric,
	"announced_pct" numeric,
	"real_pct" numeric,
	"depth_from" smallint,
	"prior_price_check" text,
	"prior_price_reason" text,
	"verdict_label" text,
	"member_price_check" text,
	CONSTRAINT "promotion_start_product_key_promotion_key_seen_from_pk" PRIMARY
		KEY("product_key","promotion_key","seen_from")
);
CREATE TABLE "ops"."quarantine" (
	"quarantine_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."quarantine_quarantine_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
CREATE TABLE "catalog"."region" (
	"region" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"time_zone" text NOT NULL
);
CREATE TABLE "derived"."region_jevons" (
	"category_key" integer NOT NULL,
	"snapshot_date" date NOT NULL,
	"matched" integer NOT NULL,
	"left_out" integer NOT NULL,
	"log_sum" bigint NOT NULL,
	CONSTRAINT "region_jevons_category_key_snapshot_date_pk" PRIMARY KEY("category_key","snapshot_date")
);
CREATE TABLE "derived"."region_pair" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	"tier" smallint NOT NULL,
	"score" numeric(3, 2) NOT NULL,
	"alarm" text,
	"uk_content" numeric,
	"ie_content" numeric,
	"measure" text,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "region_pair_uk_product_key_ie_product_key_pk" PRIMARY KEY("uk_product_key","ie_product_key")
);
CREATE TABLE "derived"."region_price_spell" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	"uk_price_minor" integer NOT NULL,
	"ie_price_minor" integer NOT NULL,
	"ratio" double precision NOT NULL,
	CONSTRAINT "region_price_spell_uk_product_key_ie_product_key_valid_from_pk" PRIMARY
		KEY("uk_product_key","ie_product_key","valid_from")
);
CREATE TABLE "ops"."run" (
	"run_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."run_run_id_seq" INCREMENT BY 1 MINVALUE
		1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"status" "ops"."run_status" DEFAULT 'open' NOT NULL,
	"phase" "ops"."run_phase" DEFAULT 'taxonomy' NOT NULL,
	"epoch" integer DEFAULT 1 NOT NULL,
	"base_run_id" integer,
	"base_epoch" integer,
	"max_details" integer NOT NULL,
	"origin" text NOT NULL,
	"upstream" text,
	"clock" "ops"."run_clock",
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"verdict" "ops"."verdict",
	"products_listed" integer,
	"products_available" integer,
	"requests_spent" integer,
	"failure_count" smallint DEFAULT 0 NOT NULL,
	"repair_rounds" smallint DEFAULT 0 NOT NULL
);
CREATE TABLE "ops"."run_details" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"details_read" integer NOT NULL,
	"details_changed" integer NOT NULL
);
CREATE TABLE "catalog"."search_filter" (
	"region" text NOT NULL,
	"keyword" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"position" smallint NOT NULL,
	"category_id" text,
	"name" text NOT NULL,
	CONSTRAINT "search_filter_region_keyword_snapshot_date_position_pk" PRIMARY
		KEY("region","keyword","snapshot_date","position")
);
CREATE TABLE "catalog"."search_rank" (
	"region" text NOT NULL,
	"keyword" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"rank" smallint NOT NULL,
	"product_id" text NOT NULL,
	"title" text,
	"brand" text,
	"sponsored" boolean,
	"is_for_sale" boolean,
	"price_minor" integer,
	CONSTRAINT "search_rank_region_keyword_snapshot_date_rank_pk" PRIMARY KEY("region","keyword","snapshot_date","rank")
);
CREATE TABLE "catalog"."shown_price" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"price_minor" integer,
	"unit_price" numeric(14, 4),
	"unit_of_measure" text,
	CONSTRAINT "shown_price_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "shown_price_interval" CHECK (valid_to > valid_from),
	CONSTRAINT "shown_price_price" CHECK (price_minor > 0)
);
CREATE TABLE "ops"."spend" (
	"listing" text NOT NULL,
	"endpoint" text NOT NULL,
	"region" text,
	"run_id" integer,
	"hour" timestamp with time zone NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"units" integer DEFAULT 0 NOT NULL,
	"cost" numeric,
	"currency" text,
	"ok" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"rate_limited" integer DEFAULT 0 NOT NULL,
	"quota" integer DEFAULT 0 NOT NULL,
	"denied" integer DEFAULT 0 NOT NULL,
	"aborted" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "spend_once_an_hour" UNIQUE NULLS NOT DISTINCT("listing","hour","endpoint","region","run_id")
);
CREATE TABLE "ops"."spend_write" (
	"writer" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
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
	"gtin" text,
	"leaf_id" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"product_type" text,
	"status" text,
	"nutrition" jsonb NOT NULL,
	CONSTRAINT "detail_run_id_product_id_pk" PRIMARY KEY("run_id","product_id")
);
CREATE TABLE "stage"."product" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"page_no" integer NOT NULL,
	"reading" smallint NOT NULL,
	"position" smallint NOT NULL,
	"product_id" text NOT NULL,
	"product_key" integer,
	"entry_hash" uuid NOT NULL,
	"tpnb" text,
	"gtin" text,
	"title" text,
	"brand" text,
	"image_url" text,
	"is_for_sale" boolean,
	"price_minor" integer,
	"unit_price" numeric(14, 4),
	"unit_of_measure" text,
	"seller" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"leaf_no" integer,
	"leaf_id" text,
	"is_extra" boolean NOT NULL,
	"promotion_hashes" uuid[]
);
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
	"was_price_minor" integer,
	"now_price_minor" integer,
	"saving_minor" integer,
	"deposit_minor" integer,
	CONSTRAINT "promotion_run_id_promotion_hash_pk" PRIMARY KEY("run_id","promotion_hash")
);
CREATE TABLE "stage"."store" (
	"refresh_id" integer NOT NULL,
	"store_id" text NOT NULL,
	"circle_no" integer NOT NULL,
	"record" jsonb NOT NULL,
	"hours" jsonb NOT NULL,
	CONSTRAINT "store_refresh_id_store_id_pk" PRIMARY KEY("refresh_id","store_id")
);
CREATE TABLE "ops"."stop" (
	"scope" "ops"."stop_scope" NOT NULL,
	"scope_id" text NOT NULL,
	"listing" text,
	"reason" "ops"."stop_reason" NOT NULL,
	"detail" text,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	"probed_at" timestamp with time zone,
	"probe_until" timestamp with time zone,
	CONSTRAINT "stop_scope_scope_id_pk" PRIMARY KEY("scope","scope_id")
);
CREATE TABLE "catalog"."store" (
	"store_id" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"store_type" text,
	"latitude" double precision,
	"longitude" double precision,
	"email" text,
	"is_bopisable" boolean,
	"is_ropisable" boolean,
	"is_curbside_enabled" boolean,
	"is_concierge_curbside_enabled" boolean,
	"is_no_show_fee_applicable" boolean,
	"is_online_reservation_enabled" boolean,
	"is_virtual" boolean,
	"reservation_system" text,
	"reservation_url" text,
	"address1" text,
	"address2" text,
	"city" text,
	"country" text,
	"cross_street" text,
	"fax" text,
	"mall_name" text,
	"phone" text,
	"postal_code" text,
	"state" text,
	"closed_days" text,
	"text_color" text,
	"time_zone" text,
	"record_hash" uuid,
	"first_seen_at" timestamp with time zone NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"missed_since" timestamp with time zone,
	"gone_at" timestamp with time zone
);
CREATE TABLE "catalog"."store_history" (
	"store_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"display_name" text NOT NULL,
	"store_type" text,
	"latitude" double precision,
	"longitude" double precision,
	"email" text,
	"is_bopisable" boolean,
	"is_ropisable" boolean,
	"is_curbside_enabled" boolean,
	"is_concierge_curbside_enabled" boolean,
	"is_no_show_fee_applicable" boolean,
	"is_online_reservation_enabled" boolean,
	"is_virtual" boolean,
	"reservation_system" text,
	"reservation_url" text,
	"address1" text,
	"address2" text,
	"city" text,
	"country" text,
	"cross_street" text,
	"fax" text,
	"mall_name" text,
	"phone" text,
	"postal_code" text,
	"state" text,
	"closed_days" text,
	"text_color" text,
	"time_zone" text,
	"record_hash" uuid,
	CONSTRAINT "store_history_store_id_valid_from_pk" PRIMARY KEY("store_id","valid_from")
);
CREATE TABLE "catalog"."store_hours" (
	"store_id" text NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"weekday" smallint NOT NULL,
	"opens_minute" integer,
	"closes_minute" integer,
	"printed" text NOT NULL,
	CONSTRAINT "store_hours_store_id_valid_from_weekday_pk" PRIMARY KEY("store_id","valid_from","weekday")
);
CREATE TABLE "ops"."store_refresh" (
	"refresh_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."store_refresh_refresh_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"areas" text NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"status" "ops"."store_refresh_status" DEFAULT 'open' NOT NULL,
	"origin" text NOT NULL,
	"upstream" text NOT NULL,
	"clock" "ops"."run_clock" NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"verdict" "ops"."verdict",
	"reasons" text[] DEFAULT '{}' NOT NULL,
	"circles" integer,
	"stores_seen" integer,
	"stores_new" integer,
	"stores_changed" integer,
	"stores_gone" integer,
	"distance_per_mile" double precision,
	"searched" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"worker_id" uuid,
	"lease" integer DEFAULT 0 NOT NULL,
	"paused_for" text,
	"paused_until" timestamp with time zone
);
CREATE TABLE "derived"."title_word" (
	"word" text PRIMARY KEY NOT NULL,
	"trigrams" text[] NOT NULL
);
CREATE TABLE "ops"."vat_rate" (
	"region" text NOT NULL,
	"department" text NOT NULL,
	"rate_pct" numeric NOT NULL,
	"loaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "vat_rate_region_department_pk" PRIMARY KEY("region","department")
);
CREATE TABLE "ops"."watch" (
	"watch_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"list" text NOT NULL,
	"region" text NOT NULL,
	"product_key" integer NOT NULL,
	"rule" text NOT NULL,
	"amount" numeric(12, 2),
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	CONSTRAINT "watch_rule" CHECK (rule in ('below', 'lowest', 'back', 'shrank', 'discount')),
	CONSTRAINT "watch_amount" CHECK ((rule = 'below') = (amount is not null))
);
CREATE TABLE "ops"."watch_mailbox" (
	"list" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL
);
CREATE TABLE "ops"."watch_message" (
	"message_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."watch_message_message_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"list" text NOT NULL,
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"events" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"last_error" text
);
CREATE TABLE "ops"."watch_night" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"collected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "watch_night_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
CREATE TABLE "ops"."worker" (
	"worker_id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"command" text NOT NULL,
	"key" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"alive_until" timestamp with time zone NOT NULL
);
CREATE TABLE "ops"."world" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"kind" "ops"."world_kind" NOT NULL,
	"seed" integer,
	"items" integer,
	"listing" text,
	"base_url" text,
	"host" text,
	"recorded_at" timestamp with time zone NOT NULL,
	"book_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "world_is_one" CHECK ("ops"."world"."is_only"),
	CONSTRAINT "world_is_whole" CHECK (case "ops"."world"."kind"
            when 'simulated' then num_nonnulls("ops"."world"."seed", "ops"."world"."items") = 2
            else num_nonnulls("ops"."world"."listing", "ops"."world"."base_url", "ops"."world"."host") = 3
          end)
);
ALTER TABLE "ops"."alert_delivery" ADD CONSTRAINT "alert_delivery_alert_id_alert_alert_id_fk" FOREIGN KEY ("alert_id")
		REFERENCES "ops"."alert"("alert_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "catalog"."category" ADD CONSTRAINT "category_region_region_region_fk" FOREIGN KEY ("region") REFERENCES
		"catalog"."region"("region") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ops"."category_crawl" ADD CONSTRAINT "category_crawl_run_id_run_run_id_fk" FOREIGN KEY ("run_id")
		REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."category_deferred" ADD CONSTRAINT "category_deferred_run_id_run_run_id_fk" FOREIGN KEY ("run_id")
		REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."certificate" ADD CONSTRAINT "certificate_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."detail_fetch" ADD CONSTRAINT "detail_fetch_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."finding" ADD CONSTRAINT "finding_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "catalog"."product_nutrition" ADD CONSTRAINT
		"product_nutrition_product_key_valid_from_product_detail_product_key_valid_from_fk" FOREIGN KEY
		("product_key","valid_from") REFERENCES "catalog"."product_detail"("product_key","valid_from") ON DELETE no action ON
		UPDATE no action;
ALTER TABLE "ops"."run" ADD CONSTRAINT "run_region_region_region_fk" FOREIGN KEY ("region") REFERENCES
		"catalog"."region"("region") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ops"."run_details" ADD CONSTRAINT "run_details_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
CREATE UNIQUE INDEX "alert_one_open" ON "ops"."alert" USING btree ("kind","subject") WHERE over_at is null;
CREATE INDEX "alert_delivery_owed" ON "ops"."alert_delivery" USING btree ("alert_id","delivery_id") WHERE delivered_at
		is null;
CREATE INDEX "availability_history_by_time" ON "catalog"."availability_history" USING btree ("valid_from");
CREATE INDEX "availability_history_by_end" ON "catalog"."availability_history" USING brin ("valid_to");
CREATE INDEX "category_ancestor_by_ancestor" ON "catalog"."category_ancestor" USING btree ("ancestor_key");
CREATE INDEX "pack_change_by_night" ON "derived"."pack_change" USING btree ("region","confirmed_on");
CREATE INDEX "detail_fetch_by_place" ON "ops"."detail_fetch" USING btree ("run_id","place");
CREATE UNIQUE INDEX "extra_value_current" ON "derived"."extra_value" USING btree ("product_key","name") WHERE valid_to
		is null;
CREATE UNIQUE INDEX "listing_move_in_force" ON "ops"."listing_move" USING btree ("listing","from_base_url","from_host")
		WHERE rolled_back_at is null;
CREATE INDEX "match_key_by_name" ON "derived"."match_key" USING btree ("name_key");
CREATE INDEX "offer_history_by_end" ON "catalog"."offer_history" USING brin ("valid_to");
CREATE INDEX "payload_by_run" ON "ops"."payload" USING btree ("run_id","endpoint");
CREATE INDEX "payload_by_sha256" ON "ops"."payload" USING btree ("sha256");
CREATE INDEX "payload_profile_by_night" ON "ops"."payload_profile" USING btree ("region","snapshot_date");
CREATE INDEX "price_history_by_end" ON "catalog"."price_history" USING brin ("valid_to");
CREATE UNIQUE INDEX "product_region_id" ON "catalog"."product" USING btree ("region","product_id",coalesce(replaced_at,
		'infinity'::timestamptz));
CREATE INDEX "product_promotion_by_promotion" ON "catalog"."product_promotion" USING btree ("promotion_key");
CREATE INDEX "product_promotion_by_time" ON "catalog"."product_promotion" USING brin ("valid_from");
CREATE INDEX "quarantine_by_run" ON "ops"."quarantine" USING btree ("run_id");
CREATE INDEX "quarantine_by_payload" ON "ops"."quarantine" USING btree ("payload_sha256");
CREATE INDEX "region_pair_by_ie" ON "derived"."region_pair" USING btree ("ie_product_key");
CREATE INDEX "region_price_spell_by_ratio" ON "derived"."region_price_spell" USING btree
		("ratio","uk_product_key","ie_product_key","valid_from","valid_to");
CREATE INDEX "region_price_spell_by_end" ON "derived"."region_price_spell" USING btree ("valid_to");
CREATE UNIQUE INDEX "run_one_open_per_region" ON "ops"."run" USING btree ("region") WHERE status = 'open';
CREATE UNIQUE INDEX "run_one_scheduled_per_night" ON "ops"."run" USING btree ("region","snapshot_date") WHERE origin =
		'schedule';
CREATE INDEX "run_by_night" ON "ops"."run" USING btree ("region","snapshot_date","run_id");
CREATE INDEX "run_by_instant" ON "ops"."run" USING btree ("region","observed_at");
CREATE INDEX "spend_of_run" ON "ops"."spend" USING btree ("run_id");
CREATE UNIQUE INDEX "store_refresh_one_open" ON "ops"."store_refresh" USING btree ("status") WHERE status = 'open';
CREATE UNIQUE INDEX "watch_once" ON "ops"."watch" USING btree ("list","product_key","rule",coalesce(amount, 0));
CREATE UNIQUE INDEX "watch_message_once" ON "ops"."watch_message" USING btree ("list","region","snapshot_date");
CREATE INDEX "watch_message_owed" ON "ops"."watch_message" USING btree ("message_id") WHERE sent_at is null and
		next_attempt_at is not null;

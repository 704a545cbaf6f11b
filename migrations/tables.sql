-- Generated from src/db/tables by `npm run db:baseline`; do not edit.
CREATE SCHEMA "catalog";
CREATE SCHEMA "derived";
CREATE SCHEMA "ops";
CREATE SCHEMA "stage";
CREATE TYPE "catalog"."availability" AS ENUM('available', 'unavailable', 'absent', 'delisted');
CREATE TYPE "ops"."clock_kind" AS ENUM('machine', 'played');
CREATE TYPE "ops"."probe_outcome" AS ENUM('answered', 'denied', 'missing', 'failed');
CREATE TYPE "ops"."run_kind" AS ENUM('night', 'stores', 'searches');
CREATE TYPE "ops"."run_phase" AS ENUM('taxonomy', 'categories', 'details', 'finishing', 'units', 'over');
CREATE TYPE "ops"."run_status" AS ENUM('open', 'held', 'published', 'abandoned', 'expired');
CREATE TYPE "ops"."severity" AS ENUM('warn', 'block');
CREATE TYPE "ops"."stop_reason" AS ENUM('key_refused', 'quota_used_up', 'failing', 'too_fast', 'endpoint', 'broken',
		'moved', 'room');
CREATE TYPE "ops"."stop_scope" AS ENUM('key', 'listing', 'run');
CREATE TYPE "ops"."unit_status" AS ENUM('planned', 'done', 'failed');
CREATE TYPE "ops"."verdict" AS ENUM('complete', 'complete_within_tolerance', 'partial');
CREATE TYPE "ops"."world_kind" AS ENUM('simulated', 'live');
CREATE SEQUENCE "ops"."change_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
CREATE TABLE "ops"."alert" (
	"alert_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."alert_alert_id_seq" INCREMENT BY 1
		MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"advice" text NOT NULL,
	"raised_at" timestamp with time zone NOT NULL,
	"notified_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
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
	"ancestors" integer[] DEFAULT '{}' NOT NULL,
	"path" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone,
	CONSTRAINT "category_region_id" UNIQUE("region","category_id")
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
	CONSTRAINT "category_crawl_run_id_category_no_pk" PRIMARY KEY("run_id","category_no")
);
CREATE TABLE "ops"."category_evidence" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"root_no" integer NOT NULL,
	"category_id" text NOT NULL,
	"path" text NOT NULL,
	"is_sample" boolean NOT NULL,
	"is_descended" boolean NOT NULL,
	"repairs" smallint NOT NULL,
	"is_in_taxonomy" boolean NOT NULL,
	"declared_first" integer,
	"declared" integer,
	"totals" integer NOT NULL,
	"pages_planned" integer NOT NULL,
	"pages_failed" integer NOT NULL,
	"pages_unrequested" integer NOT NULL,
	"pages_ending" integer NOT NULL,
	"received" integer NOT NULL,
	"rejected" integer NOT NULL,
	"seen" integer NOT NULL,
	"sponsored" integer NOT NULL,
	"hidden" integer NOT NULL,
	"misplaced" integer NOT NULL,
	"unseen" integer NOT NULL,
	"asked" integer NOT NULL,
	"for_sale" integer NOT NULL,
	"gone" integer NOT NULL,
	"usual" integer,
	"is_uncertain" boolean DEFAULT false NOT NULL,
	CONSTRAINT "category_evidence_run_id_category_no_pk" PRIMARY KEY("run_id","category_no")
);
CREATE TABLE "ops"."category_page" (
	"unit_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "ops"."category_page_unit_id_seq" INCREMENT BY 1 MINVALUE
		1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" integer NOT NULL,
	"status" "ops"."unit_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"claim_token" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"error" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"category_no" integer NOT NULL,
	"page_no" integer NOT NULL,
	"attempt_no" smallint DEFAULT 1 NOT NULL,
	"items_received" smallint,
	"distinct_products" smallint,
	"rejected" smallint,
	"declared_total" integer,
	"seen_keys" integer[],
	"extra_keys" integer[],
	CONSTRAINT "category_page_run_id_unit_id_pk" PRIMARY KEY("run_id","unit_id"),
	CONSTRAINT "category_page_attempt_no" UNIQUE("run_id","category_no","page_no","attempt_no")
);
CREATE TABLE "ops"."certificate" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"verdict" "ops"."verdict" NOT NULL,
	"reasons" jsonb NOT NULL,
	"delist_after" smallint NOT NULL,
	"changed" integer,
	"content_hash" numeric,
	"computed_at" timestamp with time zone NOT NULL,
	"released_because" text,
	"released_from" "ops"."run_status",
	"verified_at" timestamp with time zone,
	"is_verified" boolean
);
CREATE TABLE "derived"."daily_figure" (
	"region" text NOT NULL,
	"category_key" integer NOT NULL,
	"snapshot_date" date NOT NULL,
	"products_listed" integer NOT NULL,
	"products_available" integer NOT NULL,
	"products_carried" integer NOT NULL,
	"products_on_promotion" integer NOT NULL,
	"products_with_loyalty_price" integer NOT NULL,
	"price_sum_minor" bigint NOT NULL,
	"median_price_doubled" bigint,
	"loyalty_discount_pct_sum" double precision NOT NULL,
	"products_compared" integer,
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
CREATE TABLE "ops"."detail_fetch" (
	"unit_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "ops"."detail_fetch_unit_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" integer NOT NULL,
	"status" "ops"."unit_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"claim_token" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"error" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"product_id" text NOT NULL,
	"reason" text NOT NULL,
	"outcome" text,
	CONSTRAINT "detail_fetch_run_id_unit_id_pk" PRIMARY KEY("run_id","unit_id"),
	CONSTRAINT "detail_fetch_product" UNIQUE("run_id","product_id")
);
CREATE TABLE "catalog"."extra_listing" (
	"product_key" integer NOT NULL,
	"category_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "extra_listing_product_key_category_key_valid_from_pk" PRIMARY
		KEY("product_key","category_key","valid_from"),
	CONSTRAINT "extra_listing_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "ops"."finding" (
	"run_id" integer NOT NULL,
	"name" text NOT NULL,
	"severity" "ops"."severity" NOT NULL,
	"found" integer NOT NULL,
	"total" integer NOT NULL,
	"samples" text[] NOT NULL,
	CONSTRAINT "finding_run_id_name_pk" PRIMARY KEY("run_id","name")
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
CREATE TABLE "derived"."index_part" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"period_start" date NOT NULL,
	"category_key" integer NOT NULL,
	"log" double precision NOT NULL,
	CONSTRAINT "index_part_region_period_period_start_category_key_pk" PRIMARY
		KEY("region","period","period_start","category_key")
);
CREATE TABLE "ops"."keyword_search" (
	"unit_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "ops"."keyword_search_unit_id_seq" INCREMENT BY 1 MINVALUE
		1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" integer NOT NULL,
	"status" "ops"."unit_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"claim_token" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"error" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"region" text NOT NULL,
	"keyword" text NOT NULL,
	"declared_total" integer,
	"received" smallint,
	"rejected" smallint,
	CONSTRAINT "keyword_search_run_id_unit_id_pk" PRIMARY KEY("run_id","unit_id"),
	CONSTRAINT "keyword_search_keyword" UNIQUE("run_id","region","keyword")
);
CREATE TABLE "catalog"."leaf_history" (
	"product_key" integer NOT NULL,
	"leaf_key" integer,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	CONSTRAINT "leaf_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "leaf_history_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "ops"."listing" (
	"listing" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"next_slot_ms" double precision DEFAULT 0 NOT NULL,
	"month_starts_at" timestamp with time zone,
	"month_ends_at" timestamp with time zone,
	"used" bigint DEFAULT 0 NOT NULL,
	"last_answered" text,
	"last_key" text,
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
	"units_used" bigint DEFAULT 0 NOT NULL,
	"quota" integer
);
CREATE TABLE "ops"."listing_probe" (
	"listing" text PRIMARY KEY NOT NULL,
	"probed_at" timestamp with time zone NOT NULL,
	"host" text NOT NULL,
	"endpoint" text NOT NULL,
	"outcome" "ops"."probe_outcome" NOT NULL,
	"latency_ms" integer,
	"said" text
);
CREATE TABLE "ops"."listing_window" (
	"listing" text NOT NULL,
	"window_ms" bigint NOT NULL,
	"piece" bigint NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "listing_window_listing_window_ms_piece_pk" PRIMARY KEY("listing","window_ms","piece")
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
CREATE TABLE "ops"."outbox" (
	"message_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."outbox_message_id_seq" INCREMENT BY
		1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"fields" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"last_error" text
);
CREATE TABLE "derived"."pair_price" (
	"snapshot_date" date NOT NULL,
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	"uk_leaf_key" integer,
	"uk_minor" integer,
	"ie_minor" integer,
	CONSTRAINT "pair_price_snapshot_date_uk_product_key_ie_product_key_pk" PRIMARY
		KEY("snapshot_date","uk_product_key","ie_product_key")
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
	"received_at" timestamp with time zone NOT NULL,
	"pack" text NOT NULL,
	"byte_offset" bigint NOT NULL,
	"stored_bytes" integer NOT NULL
);
CREATE TABLE "ops"."payload_drift" (
	"run_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"payloads" integer NOT NULL,
	"compared_with" date,
	"findings" jsonb NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payload_drift_run_id_endpoint_pk" PRIMARY KEY("run_id","endpoint")
);
CREATE TABLE "derived"."period_panel" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"period_start" date NOT NULL,
	"through_date" date NOT NULL,
	"panel" "bytea" NOT NULL,
	"links" "bytea" NOT NULL,
	CONSTRAINT "period_panel_region_period_period_start_pk" PRIMARY KEY("region","period","period_start")
);
CREATE TABLE "catalog"."price_history" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"price_minor" integer,
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
	"departure_logs" double precision,
	"derived_on" date NOT NULL,
	CONSTRAINT "price_index_region_period_category_key_period_start_pk" PRIMARY
		KEY("region","period","category_key","period_start")
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
	CONSTRAINT "price_step_region_snapshot_date_price_basis_pk" PRIMARY KEY("region","snapshot_date","price_basis")
);
CREATE TABLE "catalog"."product" (
	"product_key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog"."product_product_key_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"product_id" text NOT NULL,
	"title" text NOT NULL,
	"tpnb" text,
	"gtin" text,
	"brand" text,
	"image_url" text,
	"seller" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"extra" jsonb,
	"pack_size" numeric,
	"pack_measure" text,
	"pack_count" smallint,
	"plain_name" text,
	"match_key" bigint,
	"has_gtin_of_details" boolean DEFAULT false NOT NULL,
	"is_for_sale" boolean NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"replaced_at" timestamp with time zone,
	"valid_from" timestamp with time zone NOT NULL,
	"entry_hash" uuid NOT NULL
);
CREATE TABLE "catalog"."product_current" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"region" text NOT NULL,
	"price_minor" integer,
	"loyalty_price_minor" integer,
	"availability" "catalog"."availability" NOT NULL,
	"leaf_key" integer,
	"price_since" timestamp with time zone NOT NULL,
	"availability_since" timestamp with time zone NOT NULL,
	"leaf_since" timestamp with time zone NOT NULL,
	"offer_since" timestamp with time zone,
	"offer_changes_at" timestamp with time zone,
	"unit_price" numeric(14, 4),
	"unit_of_measure" text,
	"detail_read_at" timestamp with time zone,
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
	"extra" jsonb,
	CONSTRAINT "product_detail_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from"),
	CONSTRAINT "product_detail_interval" CHECK (valid_to > valid_from)
);
CREATE TABLE "catalog"."product_history" (
	"product_key" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"title" text NOT NULL,
	"tpnb" text,
	"gtin" text,
	"brand" text,
	"image_url" text,
	"seller" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"extra" jsonb,
	"pack_size" numeric,
	"pack_measure" text,
	"pack_count" smallint,
	"plain_name" text,
	"match_key" bigint,
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
	"reduced_price" numeric,
	"series_began_on" date,
	"prior_price" numeric,
	"prior_member_price" numeric,
	"prior_nights_known" smallint,
	"prior_nights_lost" smallint,
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
	"seen_at" timestamp with time zone NOT NULL
);
CREATE TABLE "catalog"."region" (
	"region" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"time_zone" text NOT NULL
);
CREATE TABLE "derived"."region_pair" (
	"uk_product_key" integer NOT NULL,
	"ie_product_key" integer NOT NULL,
	"tier" smallint NOT NULL,
	"score" numeric(3, 2) NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "region_pair_uk_product_key_ie_product_key_pk" PRIMARY KEY("uk_product_key","ie_product_key")
);
CREATE TABLE "ops"."run" (
	"run_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."run_run_id_seq" INCREMENT BY 1 MINVALUE
		1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "ops"."run_kind" DEFAULT 'night' NOT NULL,
	"region" text,
	"snapshot_date" date NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"status" "ops"."run_status" DEFAULT 'open' NOT NULL,
	"phase" "ops"."run_phase" DEFAULT 'taxonomy' NOT NULL,
	"run_token" integer DEFAULT 1 NOT NULL,
	"base_run_id" integer,
	"base_run_token" integer,
	"max_details" integer NOT NULL,
	"origin" text NOT NULL,
	"upstream" text,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"verdict" "ops"."verdict",
	"products_listed" integer,
	"products_available" integer,
	"requests_spent" integer,
	"repair_rounds" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "run_region_of_night" CHECK ((kind = 'night') = (region is not null))
);
CREATE TABLE "ops"."run_budget" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"max_requests" integer,
	"reserved" integer DEFAULT 0 NOT NULL
);
CREATE TABLE "ops"."run_evidence" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"is_first" boolean NOT NULL,
	"categories" integer NOT NULL,
	"unread_tops" integer NOT NULL,
	"uncovered" integer NOT NULL,
	"products" integer NOT NULL,
	"homeless" integer NOT NULL,
	"listed_before" integer NOT NULL,
	"nights" integer NOT NULL,
	"unseen" integer NOT NULL,
	"answered" integer NOT NULL,
	"for_sale" integer NOT NULL,
	"lasting" integer NOT NULL,
	"accepted" integer NOT NULL,
	"usual" integer,
	"unseen_elsewhere" integer NOT NULL,
	"asked_elsewhere" integer NOT NULL,
	"for_sale_elsewhere" integer NOT NULL,
	"gone_elsewhere" integer NOT NULL,
	"paused_hours" integer NOT NULL,
	"rereads" integer NOT NULL,
	"asks" integer NOT NULL
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
	"change_seq" bigint,
	"updated_at" timestamp with time zone,
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
	"extra" jsonb,
	"nutrition" jsonb NOT NULL,
	CONSTRAINT "detail_run_id_product_id_pk" PRIMARY KEY("run_id","product_id")
);
CREATE TABLE "stage"."product" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"page_no" integer NOT NULL,
	"attempt_no" smallint NOT NULL,
	"position" smallint NOT NULL,
	"product_id" text NOT NULL,
	"product_key" integer,
	"entry_hash" uuid NOT NULL,
	"title" text,
	"tpnb" text,
	"gtin" text,
	"brand" text,
	"image_url" text,
	"seller" text,
	"catch_weight_grams" integer,
	"charges" jsonb,
	"deposit_minor" integer,
	"extra" jsonb,
	"pack_size" numeric,
	"pack_measure" text,
	"pack_count" smallint,
	"plain_name" text,
	"match_key" bigint,
	"is_for_sale" boolean,
	"price_minor" integer,
	"unit_price" numeric(14, 4),
	"unit_of_measure" text,
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
	"run_id" integer NOT NULL,
	"store_id" text NOT NULL,
	"unit_id" bigint NOT NULL,
	"record" jsonb NOT NULL,
	CONSTRAINT "store_run_id_store_id_pk" PRIMARY KEY("run_id","store_id")
);
CREATE TABLE "ops"."stop" (
	"scope" "ops"."stop_scope" NOT NULL,
	"scope_id" text NOT NULL,
	"reason" "ops"."stop_reason" NOT NULL,
	"detail" text,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	"probe_until" timestamp with time zone,
	"times" smallint DEFAULT 0 NOT NULL,
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
	"curbside_hours" text,
	"record_hash" uuid,
	"first_seen_at" timestamp with time zone NOT NULL,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"missed_since" timestamp with time zone,
	"gone_at" timestamp with time zone
);
CREATE TABLE "ops"."store_circle" (
	"unit_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "ops"."store_circle_unit_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" integer NOT NULL,
	"status" "ops"."unit_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"claim_token" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"error" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"south" double precision NOT NULL,
	"west" double precision NOT NULL,
	"north" double precision NOT NULL,
	"east" double precision NOT NULL,
	"received" integer,
	"rejected" integer,
	CONSTRAINT "store_circle_run_id_unit_id_pk" PRIMARY KEY("run_id","unit_id"),
	CONSTRAINT "store_circle_cell" UNIQUE("run_id","south","west","north","east")
);
CREATE TABLE "ops"."store_refresh" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"areas" text NOT NULL
);
CREATE TABLE "ops"."watch" (
	"name" text PRIMARY KEY NOT NULL,
	"question" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"change_seq" bigint NOT NULL,
	"last_error" text
);
CREATE TABLE "ops"."watch_row" (
	"name" text NOT NULL,
	"row_hash" uuid NOT NULL,
	CONSTRAINT "watch_row_name_row_hash_pk" PRIMARY KEY("name","row_hash")
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
	"clock" "ops"."clock_kind" NOT NULL,
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
ALTER TABLE "catalog"."category" ADD CONSTRAINT "category_region_region_region_fk" FOREIGN KEY ("region") REFERENCES
		"catalog"."region"("region") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ops"."category_crawl" ADD CONSTRAINT "category_crawl_run_id_run_run_id_fk" FOREIGN KEY ("run_id")
		REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."category_evidence" ADD CONSTRAINT "category_evidence_run_id_run_run_id_fk" FOREIGN KEY ("run_id")
		REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."certificate" ADD CONSTRAINT "certificate_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."detail_fetch" ADD CONSTRAINT "detail_fetch_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."finding" ADD CONSTRAINT "finding_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."keyword_search" ADD CONSTRAINT "keyword_search_run_id_run_run_id_fk" FOREIGN KEY ("run_id")
		REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."payload_drift" ADD CONSTRAINT "payload_drift_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "catalog"."product_nutrition" ADD CONSTRAINT
		"product_nutrition_product_key_valid_from_product_detail_product_key_valid_from_fk" FOREIGN KEY
		("product_key","valid_from") REFERENCES "catalog"."product_detail"("product_key","valid_from") ON DELETE no action ON
		UPDATE no action;
ALTER TABLE "ops"."run" ADD CONSTRAINT "run_region_region_region_fk" FOREIGN KEY ("region") REFERENCES
		"catalog"."region"("region") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ops"."run_budget" ADD CONSTRAINT "run_budget_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."run_evidence" ADD CONSTRAINT "run_evidence_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."store_circle" ADD CONSTRAINT "store_circle_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."store_refresh" ADD CONSTRAINT "store_refresh_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES
		"ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ops"."watch_row" ADD CONSTRAINT "watch_row_name_watch_name_fk" FOREIGN KEY ("name") REFERENCES
		"ops"."watch"("name") ON DELETE cascade ON UPDATE no action;
CREATE UNIQUE INDEX "alert_one_open" ON "ops"."alert" USING btree ("kind","subject") WHERE ended_at is null;
CREATE INDEX "availability_history_by_end" ON "catalog"."availability_history" USING brin ("valid_to");
CREATE INDEX "availability_history_by_time" ON "catalog"."availability_history" USING btree ("valid_from");
CREATE INDEX "pack_change_by_night" ON "derived"."pack_change" USING btree ("region","confirmed_on");
CREATE INDEX "leaf_history_by_end" ON "catalog"."leaf_history" USING brin ("valid_to");
CREATE UNIQUE INDEX "listing_move_in_force" ON "ops"."listing_move" USING btree ("listing","from_base_url","from_host")
		WHERE rolled_back_at is null;
CREATE INDEX "offer_history_by_end" ON "catalog"."offer_history" USING brin ("valid_to");
CREATE INDEX "outbox_due" ON "ops"."outbox" USING btree ("subject","message_id") WHERE sent_at is null;
CREATE INDEX "payload_by_run" ON "ops"."payload" USING btree ("run_id","endpoint");
CREATE INDEX "payload_by_sha256" ON "ops"."payload" USING btree ("sha256");
CREATE INDEX "price_history_by_end" ON "catalog"."price_history" USING brin ("valid_to");
CREATE UNIQUE INDEX "product_region_id" ON "catalog"."product" USING btree ("region","product_id",coalesce(replaced_at,
		'infinity'::timestamptz));
CREATE INDEX "product_promotion_by_promotion" ON "catalog"."product_promotion" USING btree ("promotion_key");
CREATE INDEX "product_promotion_by_time" ON "catalog"."product_promotion" USING brin ("valid_from");
CREATE INDEX "quarantine_by_run" ON "ops"."quarantine" USING btree ("run_id");
CREATE INDEX "quarantine_by_payload" ON "ops"."quarantine" USING btree ("payload_sha256");
CREATE INDEX "region_pair_by_ie" ON "derived"."region_pair" USING btree ("ie_product_key");
CREATE UNIQUE INDEX "run_one_open" ON "ops"."run" USING btree ("kind",coalesce(region, '')) WHERE status = 'open';
CREATE UNIQUE INDEX "run_one_scheduled_per_night" ON "ops"."run" USING btree ("region","snapshot_date") WHERE origin =
		'schedule';
CREATE INDEX "run_by_night" ON "ops"."run" USING btree ("region","snapshot_date","run_id");
CREATE INDEX "run_by_instant" ON "ops"."run" USING btree ("region","observed_at");
CREATE INDEX "spend_of_run" ON "ops"."spend" USING btree ("run_id");

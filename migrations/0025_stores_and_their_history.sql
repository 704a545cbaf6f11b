CREATE TYPE "ops"."store_refresh_status" AS ENUM('open', 'published', 'abandoned');--> statement-breakpoint
CREATE TABLE "stage"."store" (
	"refresh_id" integer NOT NULL,
	"store_id" text NOT NULL,
	"circle_no" integer NOT NULL,
	"record" jsonb NOT NULL,
	"hours" jsonb NOT NULL,
	CONSTRAINT "store_refresh_id_store_id_pk" PRIMARY KEY("refresh_id","store_id")
);
--> statement-breakpoint
CREATE TABLE "ops"."store_circle" (
	"refresh_id" integer NOT NULL,
	"circle_no" integer NOT NULL,
	"parent_no" integer,
	"south" double precision NOT NULL,
	"west" double precision NOT NULL,
	"north" double precision NOT NULL,
	"east" double precision NOT NULL,
	"status" "ops"."page_status" DEFAULT 'planned' NOT NULL,
	"worker_id" uuid,
	"lease" integer DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"received" integer,
	"rejected" integer,
	"store_ids" text[],
	"distance_per_mile" double precision,
	"split_for" text,
	"payload_sha256" "bytea",
	"fetched_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "store_circle_refresh_id_circle_no_pk" PRIMARY KEY("refresh_id","circle_no")
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "ops"."store_refresh" (
	"refresh_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."store_refresh_refresh_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
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
	"paused_for" text,
	"paused_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "catalog"."store_hours" DROP CONSTRAINT "store_hours_store_id_store_store_id_fk";
--> statement-breakpoint
ALTER TABLE "catalog"."store_hours" DROP CONSTRAINT "store_hours_store_id_weekday_pk";--> statement-breakpoint
ALTER TABLE "catalog"."store_hours" ADD COLUMN "valid_from" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "catalog"."store_hours" ADD CONSTRAINT "store_hours_store_id_valid_from_weekday_pk" PRIMARY KEY("store_id","valid_from","weekday");--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "is_bopisable" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "is_ropisable" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "is_concierge_curbside_enabled" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "is_no_show_fee_applicable" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "is_online_reservation_enabled" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "is_virtual" boolean;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "reservation_system" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "reservation_url" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "cross_street" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "fax" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "mall_name" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "closed_days" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "text_color" text;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "record_hash" uuid;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "valid_from" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "missed_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "catalog"."store" ADD COLUMN "gone_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ops"."store_circle" ADD CONSTRAINT "store_circle_refresh_id_store_refresh_refresh_id_fk" FOREIGN KEY ("refresh_id") REFERENCES "ops"."store_refresh"("refresh_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "store_refresh_one_open" ON "ops"."store_refresh" USING btree ("status") WHERE status = 'open';
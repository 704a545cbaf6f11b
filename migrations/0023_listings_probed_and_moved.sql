CREATE TYPE "ops"."replaced_host_state" AS ENUM('subscribed', 'not_subscribed', 'gone');--> statement-breakpoint
CREATE TYPE "ops"."probe_outcome" AS ENUM('answered', 'denied', 'missing', 'failed', 'not_asked');--> statement-breakpoint
CREATE TABLE "ops"."listing_move" (
	"move_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."listing_move_move_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"listing" text NOT NULL,
	"from_base_url" text NOT NULL,
	"from_host" text NOT NULL,
	"to_base_url" text NOT NULL,
	"to_host" text NOT NULL,
	"moved_at" timestamp with time zone NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"rolled_back_at" timestamp with time zone,
	"back_effective_at" timestamp with time zone,
	"units_used" bigint DEFAULT 0 NOT NULL,
	"replaced_host_state" "ops"."replaced_host_state",
	"replaced_host_seen_at" timestamp with time zone
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX "listing_move_in_force" ON "ops"."listing_move" USING btree ("listing","from_base_url","from_host") WHERE rolled_back_at is null;
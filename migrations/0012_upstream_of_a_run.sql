CREATE TYPE "ops"."run_clock" AS ENUM('machine', 'played');--> statement-breakpoint
CREATE TYPE "ops"."world_kind" AS ENUM('simulated', 'live');--> statement-breakpoint
CREATE TABLE "ops"."world" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"kind" "ops"."world_kind" NOT NULL,
	"seed" integer,
	"items" integer,
	"listing" text,
	"base_url" text,
	"host" text,
	"recorded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "world_is_one" CHECK ("ops"."world"."is_only"),
	CONSTRAINT "world_is_whole" CHECK (case "ops"."world"."kind" when 'simulated' then num_nonnulls("ops"."world"."seed", "ops"."world"."items") = 2 else num_nonnulls("ops"."world"."listing", "ops"."world"."base_url", "ops"."world"."host") = 3 end)
);
--> statement-breakpoint
ALTER TABLE "ops"."run" ADD COLUMN "upstream" text;--> statement-breakpoint
ALTER TABLE "ops"."run" ADD COLUMN "clock" "ops"."run_clock";--> statement-breakpoint
ALTER TABLE "ops"."worker" ADD COLUMN "command" text;
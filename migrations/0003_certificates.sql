CREATE TYPE "ops"."severity" AS ENUM('warn', 'block');--> statement-breakpoint
CREATE TABLE "ops"."finding" (
	"run_id" integer NOT NULL,
	"name" text NOT NULL,
	"severity" "ops"."severity" NOT NULL,
	"found" integer NOT NULL,
	"message" text NOT NULL,
	"samples" text[] NOT NULL,
	CONSTRAINT "finding_run_id_name_pk" PRIMARY KEY("run_id","name")
);
--> statement-breakpoint
ALTER TABLE "ops"."category_crawl" ADD COLUMN "is_sample" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ops"."certificate" ADD COLUMN "changed_keys" integer[];--> statement-breakpoint
ALTER TABLE "ops"."certificate" ADD COLUMN "verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ops"."certificate" ADD COLUMN "is_verified" boolean;--> statement-breakpoint
ALTER TABLE "ops"."run" ADD COLUMN "mending_rounds" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ops"."finding" ADD CONSTRAINT "finding_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
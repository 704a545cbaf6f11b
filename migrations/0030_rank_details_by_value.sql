CREATE TABLE "ops"."detail_visit" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"visited_at" timestamp with time zone NOT NULL,
	"visits" smallint NOT NULL,
	"changes" smallint DEFAULT 0 NOT NULL,
	"quiet_days" real DEFAULT 0 NOT NULL,
	"changed_days" real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ops"."detail_yield" (
	"run_id" integer NOT NULL,
	"reason" text NOT NULL,
	"visits" integer NOT NULL,
	"changes" integer NOT NULL,
	CONSTRAINT "detail_yield_run_id_reason_pk" PRIMARY KEY("run_id","reason")
);
--> statement-breakpoint
ALTER TABLE "ops"."detail_fetch" ADD COLUMN "chance" real;--> statement-breakpoint
ALTER TABLE "ops"."detail_fetch" ADD COLUMN "age_days" real;--> statement-breakpoint
ALTER TABLE "ops"."run_forecast" ADD COLUMN "details_standing" integer;--> statement-breakpoint
ALTER TABLE "ops"."run_forecast" ADD COLUMN "details_left_out" integer;--> statement-breakpoint
ALTER TABLE "ops"."run_forecast" ADD COLUMN "are_visits_counted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ops"."detail_yield" ADD CONSTRAINT "detail_yield_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Details that are known were visited when they were last written, as far as can be told.
insert into ops.detail_visit (product_key, visited_at, visits)
select product_key, valid_from, 1 from catalog.product_detail where valid_to is null;
--> statement-breakpoint
-- Runs from before have nothing to count.
update ops.run_forecast f set are_visits_counted = true from ops.run r where r.run_id = f.run_id and r.status = 'published';

CREATE TABLE "ops"."detail_fold" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"products" integer NOT NULL,
	"found" integer NOT NULL,
	"not_there" integer NOT NULL,
	"product_id" text[],
	"reason" text[],
	"status" "ops"."page_status"[],
	"outcome" text[],
	"payload_sha256" "bytea"[],
	"fetched_at" timestamp with time zone[],
	"error" text[]
);
--> statement-breakpoint
CREATE TABLE "ops"."page_fold" (
	"run_id" integer NOT NULL,
	"category_no" integer NOT NULL,
	"pages" integer NOT NULL,
	"last_page" integer NOT NULL,
	"pages_read" integer NOT NULL,
	"readings_done" integer NOT NULL,
	"items" integer NOT NULL,
	"quarantined" integer NOT NULL,
	"page_no" integer[],
	"reading" smallint[],
	"status" "ops"."page_status"[],
	"items_received" smallint[],
	"distinct_products" smallint[],
	"rejected" smallint[],
	"declared_total" integer[],
	"payload_sha256" "bytea"[],
	"fetched_at" timestamp with time zone[],
	"error" text[],
	CONSTRAINT "page_fold_run_id_category_no_pk" PRIMARY KEY("run_id","category_no")
);
--> statement-breakpoint
CREATE TABLE "ops"."payload_fold" (
	"run_id" integer NOT NULL,
	"listing" text NOT NULL,
	"endpoint" text NOT NULL,
	"host" text NOT NULL,
	"status" smallint NOT NULL,
	"region" text,
	"payloads" integer NOT NULL,
	"last_received_at" timestamp with time zone NOT NULL,
	"payload_id" bigint[] NOT NULL,
	"sha256" "bytea"[] NOT NULL,
	"request" text[] NOT NULL,
	"received_at" timestamp with time zone[] NOT NULL,
	CONSTRAINT "payload_fold_run_id_listing_endpoint_host_status_pk" PRIMARY KEY("run_id","listing","endpoint","host","status")
);
--> statement-breakpoint
ALTER TABLE "ops"."detail_fold" ADD CONSTRAINT "detail_fold_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."page_fold" ADD CONSTRAINT "page_fold_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ops"."payload_fold" ADD CONSTRAINT "payload_fold_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- A night's rows come and go every day: their room is found again before the table grows by a fifth.
alter table ops.payload set (autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
alter table ops.payload_body set (autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE "ops"."category_deferred" (
	"run_id" integer NOT NULL,
	"category_id" text NOT NULL,
	"pages" integer NOT NULL,
	"last_read_on" date,
	CONSTRAINT "category_deferred_run_id_category_id_pk" PRIMARY KEY("run_id","category_id")
);
--> statement-breakpoint
ALTER TABLE "ops"."category_deferred" ADD CONSTRAINT "category_deferred_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
CREATE TABLE "ops"."run_forecast" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"taxonomy" integer NOT NULL,
	"listing" integer NOT NULL,
	"details" integer NOT NULL,
	"seconds" double precision NOT NULL,
	"cost" numeric,
	"currency" text,
	"assumed" jsonb NOT NULL,
	"details_wanted" integer,
	"details_chosen" integer
);
--> statement-breakpoint
ALTER TABLE "ops"."run_forecast" ADD CONSTRAINT "run_forecast_run_id_run_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "ops"."run"("run_id") ON DELETE cascade ON UPDATE no action;
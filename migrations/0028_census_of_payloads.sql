CREATE TABLE "ops"."payload_census" (
	"run_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"payloads" integer NOT NULL,
	"census" jsonb NOT NULL,
	"rules" smallint NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payload_census_run_id_endpoint_pk" PRIMARY KEY("run_id","endpoint")
);
--> statement-breakpoint
CREATE INDEX "payload_census_by_night" ON "ops"."payload_census" USING btree ("region","snapshot_date");
CREATE SCHEMA "derived";
--> statement-breakpoint
CREATE TABLE "derived"."night" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"run_id" integer NOT NULL,
	"rules" smallint NOT NULL,
	CONSTRAINT "night_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);

CREATE TABLE "ops"."fx_rate" (
	"base" text NOT NULL,
	"quote" text NOT NULL,
	"on_date" date NOT NULL,
	"rate" numeric NOT NULL,
	"source" text NOT NULL,
	"loaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fx_rate_base_quote_on_date_pk" PRIMARY KEY("base","quote","on_date")
);
--> statement-breakpoint
CREATE TABLE "ops"."vat_rate" (
	"region" text NOT NULL,
	"department" text NOT NULL,
	"rate_pct" numeric NOT NULL,
	"loaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "vat_rate_region_department_pk" PRIMARY KEY("region","department")
);

CREATE TABLE "ops"."listing_profile" (
	"listing" text NOT NULL,
	"region" text NOT NULL,
	"host" text NOT NULL,
	"probed_at" timestamp with time zone NOT NULL,
	"page_size" integer,
	"report" jsonb NOT NULL,
	CONSTRAINT "listing_profile_listing_region_pk" PRIMARY KEY("listing","region")
);

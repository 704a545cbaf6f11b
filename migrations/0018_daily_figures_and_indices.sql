CREATE TABLE "derived"."daily_figure" (
	"region" text NOT NULL,
	"category_key" integer NOT NULL,
	"snapshot_date" date NOT NULL,
	"products_listed" integer NOT NULL,
	"products_priced" integer NOT NULL,
	"products_available" integer NOT NULL,
	"products_on_promotion" integer NOT NULL,
	"products_with_loyalty_price" integer NOT NULL,
	"price_sum_minor" bigint NOT NULL,
	"median_price_doubled" bigint,
	"loyalty_discount_pct_sum" double precision NOT NULL,
	"arrivals" integer,
	"departures" integer,
	"price_increases" integer,
	"price_decreases" integer,
	CONSTRAINT "daily_figure_region_category_key_snapshot_date_pk" PRIMARY KEY("region","category_key","snapshot_date")
);
--> statement-breakpoint
CREATE TABLE "derived"."base_panel" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"period_start" date NOT NULL,
	"panel" "bytea" NOT NULL,
	CONSTRAINT "base_panel_region_period_period_start_pk" PRIMARY KEY("region","period","period_start")
);
--> statement-breakpoint
CREATE TABLE "derived"."period_panel" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"period_start" date NOT NULL,
	"through_date" date NOT NULL,
	"panel" "bytea" NOT NULL,
	CONSTRAINT "period_panel_region_period_period_start_pk" PRIMARY KEY("region","period","period_start")
);
--> statement-breakpoint
CREATE TABLE "derived"."price_index" (
	"region" text NOT NULL,
	"period" text NOT NULL,
	"category_key" integer NOT NULL,
	"period_start" date NOT NULL,
	"base_start" date NOT NULL,
	"chained_shelf" double precision,
	"chained_member" double precision,
	"fixed_shelf" double precision,
	"fixed_member" double precision,
	"geks_shelf" double precision,
	"geks_member" double precision,
	"mean_shelf" double precision,
	"mean_member" double precision,
	"priced" integer NOT NULL,
	"matched_shelf" integer NOT NULL,
	"matched_member" integer NOT NULL,
	"outliers_shelf" integer NOT NULL,
	"outliers_member" integer NOT NULL,
	"fixed_matched_shelf" integer NOT NULL,
	"fixed_matched_member" integer NOT NULL,
	"arrivals" integer,
	"departures" integer,
	CONSTRAINT "price_index_region_period_category_key_period_start_pk" PRIMARY KEY("region","period","category_key","period_start")
);

-- Every night is derived again by new rules, which fill it.
TRUNCATE "derived"."promotion_start";--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "region" text NOT NULL;--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "reference_price" numeric;--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "announced_pct" numeric;--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "real_pct" numeric;--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "depth_from" smallint;--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "prior_price_check" text;--> statement-breakpoint
ALTER TABLE "derived"."promotion_start" ADD COLUMN "prior_price_reason" text;--> statement-breakpoint
CREATE INDEX "promotion_start_by_verdict" ON "derived"."promotion_start" USING btree ("region","snapshot_date","prior_price_check","prior_price_reason","depth_from");
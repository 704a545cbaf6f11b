-- None of those that were kept is known to be: all nights are derived again by new rules, which tells.
ALTER TABLE "derived"."price_step" ADD COLUMN "steady" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "derived"."price_step" ALTER COLUMN "steady" DROP DEFAULT;
ALTER TABLE "ops"."worker" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "ops"."listing_health" DROP COLUMN "ok_key";
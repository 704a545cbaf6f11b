ALTER TABLE "derived"."period_panel" ADD COLUMN "figures" "bytea";--> statement-breakpoint
ALTER TABLE "derived"."period_panel" ADD COLUMN "comparisons" "bytea";
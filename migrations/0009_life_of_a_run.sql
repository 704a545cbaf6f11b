ALTER TYPE "ops"."run_status" ADD VALUE 'expired';--> statement-breakpoint
ALTER TABLE "ops"."certificate" ADD COLUMN "released_because" text;--> statement-breakpoint
ALTER TABLE "ops"."certificate" ADD COLUMN "released_from" "ops"."run_status";--> statement-breakpoint
ALTER TABLE "ops"."run" ADD COLUMN "base_run_id" integer;--> statement-breakpoint
ALTER TABLE "ops"."run" ADD COLUMN "base_epoch" integer;--> statement-breakpoint
ALTER TABLE "ops"."run" ADD COLUMN "failure_count" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What a person said who released a run was the last of its reasons.
UPDATE "ops"."certificate" c
SET released_because = substr(said.reason, length('released by a person: ') + 1),
    released_from = CASE WHEN EXISTS (
      SELECT FROM "ops"."finding" f WHERE f.run_id = c.run_id AND f.severity = 'block') THEN 'held'::"ops"."run_status" ELSE 'published' END,
    reasons = array_remove(c.reasons, said.reason)
FROM (
  SELECT x.run_id, max(reason) AS reason
  FROM "ops"."certificate" x CROSS JOIN LATERAL unnest(x.reasons) AS reason
  WHERE reason LIKE 'released by a person: %'
  GROUP BY x.run_id
) AS said
WHERE said.run_id = c.run_id;--> statement-breakpoint
-- Runs that may still be published: what was published before they began.
UPDATE "ops"."run" r
SET base_run_id = base.run_id, base_epoch = coalesce(base.epoch, 0)
FROM "ops"."run" x
LEFT JOIN LATERAL (
  SELECT p.run_id, p.epoch FROM "ops"."run" p
  WHERE p.region = x.region AND p.status = 'published' AND p.observed_at < x.observed_at AND p.finished_at <= x.started_at
  ORDER BY p.observed_at DESC LIMIT 1
) AS base ON true
WHERE x.run_id = r.run_id AND r.status IN ('open', 'held') AND r.phase <> 'taxonomy';

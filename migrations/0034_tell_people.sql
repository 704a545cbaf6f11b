CREATE TYPE "ops"."alert_event" AS ENUM('raised', 'reminder', 'over');--> statement-breakpoint
CREATE TABLE "ops"."alert" (
	"alert_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."alert_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"says" text NOT NULL,
	"advice" text NOT NULL,
	"raised_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone NOT NULL,
	"over_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ops"."alert_delivery" (
	"delivery_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ops"."alert_delivery_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"alert_id" bigint NOT NULL,
	"event" "ops"."alert_event" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
ALTER TABLE "ops"."alert_delivery" ADD CONSTRAINT "alert_delivery_alert_id_alert_alert_id_fk" FOREIGN KEY ("alert_id") REFERENCES "ops"."alert"("alert_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_one_standing" ON "ops"."alert" USING btree ("kind","subject") WHERE over_at is null;--> statement-breakpoint
CREATE INDEX "alert_delivery_owed" ON "ops"."alert_delivery" USING btree ("alert_id","delivery_id") WHERE delivered_at is null;
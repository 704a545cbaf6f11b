CREATE TABLE "ops"."spend_write" (
	"writer" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);

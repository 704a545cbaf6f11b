CREATE TABLE "derived"."product_words" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"region" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
-- Products of books from before are found, too, without waiting for a night. Before the index: it is then built at once.
insert into derived.product_words (product_key, region, since, words)
select p.product_key, p.region, p.valid_from,
  strip(to_tsvector('simple', concat_ws(' ', p.title, p.brand, p.product_id, p.tpnb, ltrim(p.gtin, '0'))))
from catalog.product p;
--> statement-breakpoint
CREATE INDEX "product_words_by_word" ON "derived"."product_words" USING gin ("words");

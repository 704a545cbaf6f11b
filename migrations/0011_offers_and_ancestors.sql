CREATE TABLE "catalog"."category_ancestor" (
	"category_key" integer NOT NULL,
	"ancestor_key" integer NOT NULL,
	"is_itself" boolean NOT NULL,
	CONSTRAINT "category_ancestor_category_key_ancestor_key_pk" PRIMARY KEY("category_key","ancestor_key")
);
--> statement-breakpoint
CREATE TABLE "catalog"."offer_history" (
	"product_key" integer NOT NULL,
	"loyalty_price_minor" integer,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "offer_history_product_key_valid_from_pk" PRIMARY KEY("product_key","valid_from")
);
--> statement-breakpoint
CREATE TABLE "catalog"."product_current" (
	"product_key" integer PRIMARY KEY NOT NULL,
	"price_minor" integer,
	"loyalty_price_minor" integer,
	"availability" "catalog"."availability" NOT NULL,
	"is_on_promotion" boolean NOT NULL,
	"unit_price" numeric,
	"unit_of_measure" text
);
--> statement-breakpoint
CREATE INDEX "category_ancestor_by_ancestor" ON "catalog"."category_ancestor" USING btree ("ancestor_key");--> statement-breakpoint
-- What the nights so far left: hash joins and sorts over whole histories.
set local work_mem = '64MB';
--> statement-breakpoint
insert into catalog.category_ancestor (category_key, ancestor_key, is_itself)
with recursive climb (category_key, ancestor_key) as (
  select category_key, category_key from catalog.category
  union
  select climb.category_key, above.parent_key
  from climb join catalog.category above on above.category_key = climb.ancestor_key
  where above.parent_key is not null
)
select category_key, ancestor_key, category_key = ancestor_key from climb order by category_key, ancestor_key;
--> statement-breakpoint
-- A promotion's dates take effect with the first run at or after them; between two such moments an offer stays the same.
insert into catalog.offer_history (product_key, loyalty_price_minor, valid_from, valid_to)
select product_key, loyalty_price_minor, valid_from, valid_to
from (
  with said as (
    select region, starts_at as at from catalog.promotion where starts_at is not null
    union
    select region, ends_at from catalog.promotion where ends_at is not null
  ), seen as (
    select said.region, said.at, (
      select min(r.observed_at) from ops.run r
      where r.region = said.region and r.status = 'published' and r.observed_at >= said.at) as run_at
    from said
  ), carried as (
    select pp.product_key, greatest(pp.valid_from, starts.run_at) as begins_at, least(pp.valid_to, ends.run_at) as ends_at,
      case when o.kind = 'loyalty_price' then o.loyalty_price_minor end as loyalty_price_minor
    from catalog.product_promotion pp
    join catalog.promotion o using (promotion_key)
    left join seen starts on starts.region = o.region and starts.at = o.starts_at
    left join seen ends on ends.region = o.region and ends.at = o.ends_at
    where o.starts_at is null or starts.run_at is not null
  ), counting as (
    select * from carried where ends_at is null or begins_at < ends_at
  ), moment as (
    select product_key, begins_at as at from counting
    union
    select product_key, ends_at from counting where ends_at is not null
  ), segment as (
    select product_key, at, lead(at) over (partition by product_key order by at) as until from moment
  ), offered as (
    select s.product_key, s.at, s.until, min(c.loyalty_price_minor) as loyalty_price_minor
    from segment s
    join counting c on c.product_key = s.product_key and c.begins_at <= s.at and (c.ends_at is null or c.ends_at > s.at)
    group by s.product_key, s.at, s.until
  ), marked as (
    select *, case when lag(until) over w = at and lag(loyalty_price_minor) over w is not distinct from loyalty_price_minor
      then 0 else 1 end as is_first
    from offered window w as (partition by product_key order by at)
  ), numbered as (
    select *, sum(is_first) over (partition by product_key order by at) as spell_no from marked
  )
  select product_key, min(loyalty_price_minor) as loyalty_price_minor, min(at) as valid_from,
    case when bool_and(until is not null) then max(until) end as valid_to
  from numbered
  group by product_key, spell_no
) as spell
order by valid_from, product_key;
--> statement-breakpoint
insert into catalog.product_current (product_key, price_minor, loyalty_price_minor, availability, is_on_promotion, unit_price, unit_of_measure)
select a.product_key, price.price_minor, offer.loyalty_price_minor, a.availability, offer.product_key is not null, price.unit_price, price.unit_of_measure
from catalog.availability_history a
left join catalog.price_history price on price.product_key = a.product_key and price.valid_to is null
left join catalog.offer_history offer on offer.product_key = a.product_key and offer.valid_to is null
where a.valid_to is null
order by a.product_key;
--> statement-breakpoint
analyze catalog.category_ancestor, catalog.offer_history, catalog.product_current;

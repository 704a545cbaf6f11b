CREATE TABLE "derived"."night_change" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"change_seq" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"open_seq" bigint NOT NULL,
	"open_updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "night_change_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
--> statement-breakpoint
CREATE TABLE "ops"."night_change" (
	"region" text NOT NULL,
	"snapshot_date" date NOT NULL,
	"change_seq" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"open_seq" bigint NOT NULL,
	"open_updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "night_change_region_snapshot_date_pk" PRIMARY KEY("region","snapshot_date")
);
--> statement-breakpoint
ALTER TABLE "ops"."keyword_search" ADD COLUMN "change_seq" bigint;--> statement-breakpoint
ALTER TABLE "ops"."keyword_search" ADD COLUMN "updated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "derived"."price_index" ADD COLUMN "derived_on" date;
--> statement-breakpoint
-- Drawn under a lock (src/ledger/night-changes.ts): a sequence alone counts in another order than transactions commit.
create sequence ops.change_seq;--> statement-breakpoint
-- Nights there are, in the order in which they were finished, and within a region in the order of their dates.
insert into ops.night_change (region, snapshot_date, change_seq, updated_at, open_seq, open_updated_at)
select region, snapshot_date, change_seq, finished_at, change_seq, finished_at
from (
  select region, snapshot_date, finished_at, row_number() over (order by written_at, snapshot_date, region) as change_seq
  from (
    select region, snapshot_date, finished_at, max(finished_at) over (partition by region order by snapshot_date) as written_at
    from (
      select region, snapshot_date, coalesce(max(finished_at), max(started_at)) as finished_at
      from ops.run
      where status = 'published'
      group by region, snapshot_date
    ) as published
  ) as night
) as numbered;--> statement-breakpoint
-- What follows from them came after them.
insert into derived.night_change (region, snapshot_date, change_seq, updated_at, open_seq, open_updated_at)
select region, snapshot_date, change_seq + nights, updated_at, change_seq + nights, updated_at
from ops.night_change
join derived.night using (region, snapshot_date)
cross join (select count(*) as nights from ops.night_change) as counted;--> statement-breakpoint
update ops.keyword_search search
set change_seq = asked.place + 2 * (select count(*) from ops.night_change), updated_at = search.searched_at
from (
  select region, keyword, snapshot_date, row_number() over (order by searched_at, region, keyword, snapshot_date) as place
  from ops.keyword_search
  where searched_at is not null
) as asked
where (search.region, search.keyword, search.snapshot_date) = (asked.region, asked.keyword, asked.snapshot_date);--> statement-breakpoint
select setval('ops.change_seq', greatest(1,
  (select max(change_seq) from ops.night_change),
  (select max(change_seq) from derived.night_change),
  (select max(change_seq) from ops.keyword_search)));

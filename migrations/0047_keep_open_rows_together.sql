-- Open rows lie together, and closed ones in the order in which they were closed: a night reads what was open then instead of all versions.
-- Views hang on the tables; what is gone of them is made anew once the migration is done.
do $$
declare object text;
begin
  if to_regclass('ops.views_version') is null then return; end if;
  for object in select regexp_replace(name, '^([a-z]+) ', '\1 if exists ')
    from ops.views_version, unnest(objects) with ordinality as made (name, nth) order by nth desc
  loop
    execute 'drop ' || object;
  end loop;
  -- Killed in between, the next program makes them.
  update ops.views_version set hash = '';
end $$;
--> statement-breakpoint
alter table catalog.price_history rename to price_history_before;
--> statement-breakpoint
create table catalog.price_history (
  product_key integer not null,
  price_minor integer constraint price_history_price check (price_minor > 0),
  valid_from timestamptz not null,
  valid_to timestamptz,
  unit_price numeric,
  unit_of_measure text,
  constraint price_history_interval check (valid_to > valid_from)
) partition by list (valid_to);
--> statement-breakpoint
create table catalog.price_history_open partition of catalog.price_history for values in (null)
  with (autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
create table catalog.price_history_closed partition of catalog.price_history default;
--> statement-breakpoint
insert into catalog.price_history_open (product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure)
select product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure from catalog.price_history_before where valid_to is null order by product_key;
--> statement-breakpoint
insert into catalog.price_history_closed (product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure)
select product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure from catalog.price_history_before where valid_to is not null order by valid_to, product_key;
--> statement-breakpoint
drop table catalog.price_history_before;
--> statement-breakpoint
-- A product has one open row at most.
alter table catalog.price_history_open add constraint price_history_open_pk primary key (product_key);
--> statement-breakpoint
alter table catalog.price_history_closed add constraint price_history_closed_pk primary key (product_key, valid_from);
--> statement-breakpoint
create index price_history_closed_by_end on catalog.price_history_closed using brin (valid_to) with (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
create index price_history_by_time on catalog.price_history (valid_from);
--> statement-breakpoint
create statistics catalog.price_history_moment (ndistinct) on product_key, valid_from, price_minor from catalog.price_history;
--> statement-breakpoint
alter table catalog.availability_history rename to availability_history_before;
--> statement-breakpoint
create table catalog.availability_history (
  product_key integer not null,
  availability catalog.availability not null,
  valid_from timestamptz not null,
  valid_to timestamptz,
  constraint availability_history_interval check (valid_to > valid_from)
) partition by list (valid_to);
--> statement-breakpoint
create table catalog.availability_history_open partition of catalog.availability_history for values in (null)
  with (autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
create table catalog.availability_history_closed partition of catalog.availability_history default;
--> statement-breakpoint
insert into catalog.availability_history_open (product_key, availability, valid_from, valid_to)
select product_key, availability, valid_from, valid_to from catalog.availability_history_before where valid_to is null order by product_key;
--> statement-breakpoint
insert into catalog.availability_history_closed (product_key, availability, valid_from, valid_to)
select product_key, availability, valid_from, valid_to from catalog.availability_history_before where valid_to is not null order by valid_to, product_key;
--> statement-breakpoint
drop table catalog.availability_history_before;
--> statement-breakpoint
alter table catalog.availability_history_open add constraint availability_history_open_pk primary key (product_key);
--> statement-breakpoint
alter table catalog.availability_history_closed add constraint availability_history_closed_pk primary key (product_key, valid_from);
--> statement-breakpoint
create index availability_history_closed_by_end on catalog.availability_history_closed using brin (valid_to) with (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
create index availability_history_by_time on catalog.availability_history (valid_from);
--> statement-breakpoint
alter table catalog.offer_history rename to offer_history_before;
--> statement-breakpoint
create table catalog.offer_history (
  product_key integer not null,
  loyalty_price_minor integer,
  valid_from timestamptz not null,
  valid_to timestamptz,
  constraint offer_history_interval check (valid_to > valid_from)
) partition by list (valid_to);
--> statement-breakpoint
create table catalog.offer_history_open partition of catalog.offer_history for values in (null)
  with (autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
create table catalog.offer_history_closed partition of catalog.offer_history default;
--> statement-breakpoint
insert into catalog.offer_history_open (product_key, loyalty_price_minor, valid_from, valid_to)
select product_key, loyalty_price_minor, valid_from, valid_to from catalog.offer_history_before where valid_to is null order by product_key;
--> statement-breakpoint
insert into catalog.offer_history_closed (product_key, loyalty_price_minor, valid_from, valid_to)
select product_key, loyalty_price_minor, valid_from, valid_to from catalog.offer_history_before where valid_to is not null order by valid_to, product_key;
--> statement-breakpoint
drop table catalog.offer_history_before;
--> statement-breakpoint
alter table catalog.offer_history_open add constraint offer_history_open_pk primary key (product_key);
--> statement-breakpoint
alter table catalog.offer_history_closed add constraint offer_history_closed_pk primary key (product_key, valid_from);
--> statement-breakpoint
create index offer_history_closed_by_end on catalog.offer_history_closed using brin (valid_to) with (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
analyze catalog.price_history, catalog.availability_history, catalog.offer_history;

-- The evidence of a run whose pages are read or given up: one row per requested category in ops.category_evidence, the
-- certificate's table, and one row of figures of the run. It judges nothing. Needs the table `night` (night.ts).

-- The planner knows neither the run's pages nor these tables: hash joins are never far from the best plan.
set local enable_nestloop = off;

create temporary table if not exists shown (
  category_no int, ref bigint, first_page int, is_own bool, is_member bool
) on commit drop;
create temporary table if not exists under (category_no int, crawled_no int, is_root bool) on commit drop;
create temporary table if not exists home (category_key int, root_no int) on commit drop;
create temporary table if not exists misplaced (ref bigint, root_no int) on commit drop;
create temporary table if not exists earlier (
  run_id int, is_certified bool, observed_at timestamptz, is_accepted bool, is_level bool
) on commit drop;
create temporary table if not exists last_certified (
  run_id int, products_listed int, observed_at timestamptz, nights int
) on commit drop;
create temporary table if not exists missing (
  product_id text, root_no int, top_key int, was_listed bool, is_left_out bool, is_requested bool, is_asked bool,
  is_for_sale bool, is_gone bool
) on commit drop;
truncate shown, under, home, misplaced, earlier, last_certified, missing;

-- A row per category and product that it showed. `ref`: the product's key, or a negative hash of a new one's id.
-- `is_own`: at least once within the product's breadcrumb. `is_member`: or on a page without room for advertisements.
insert into shown
with page as materialized (
  select p.*, coalesce(p.items_received > coalesce(nullif(c.results_per_page, 0), 24), false)::int as has_ads
  from night join ops.category_page p using (run_id)
  join ops.category_crawl c using (run_id, category_no)
)
select category_no, ref, min(page_no), sum(own) > 0, sum(own_or_no_ad) > 0
from (
  select category_no, unnest(seen_keys)::bigint as ref, page_no, 1 as own, 1 as own_or_no_ad from page
  union all
  select category_no, unnest(extra_keys), null, -1, -has_ads from page
  union all
  select s.category_no, coalesce(s.product_key, -1 - (hashtextextended(s.product_id, 0) & 4611686018427387903)),
    s.page_no, 1 - s.is_extra::int, 1 - s.is_extra::int * page.has_ads
  from page join stage.product s using (run_id, category_no, page_no, attempt_no)
) as observation
group by category_no, ref;
analyze shown;

-- Every category with the crawled ones that it lies under, itself included, by the run's taxonomy ...
insert into under
with recursive below (category_no, crawled_no) as (
  select category_no, category_no from night join ops.category_crawl using (run_id)
  union
  select child.category_no, below.crawled_no
  from below
  cross join night
  join stage.category child on child.run_id = night.run_id and child.parent_no = below.category_no
)
select below.category_no, below.crawled_no, c.category_no = c.root_no
from below
cross join night
join ops.category_crawl c on c.run_id = night.run_id and c.category_no = below.crawled_no;

-- ... and by the catalogue's. Categories that never were in a taxonomy miss nothing.
insert into home
select c.category_key, min(crawl.category_no)
from night join catalog.category c using (region)
cross join unnest(c.ancestors) as above (category_key)
join catalog.category top on top.category_key = above.category_key and top.label <> 'not in taxonomy'
join ops.category_crawl crawl
  on crawl.run_id = night.run_id and crawl.category_id = top.category_id and crawl.category_no = crawl.root_no
group by c.category_key;

-- Products that only categories outside their breadcrumb showed, with the crawled category that should have. Without a
-- breadcrumb, none should.
insert into misplaced
select s.ref, coalesce(min(fresh.root_no), min(home.root_no))
from (select ref from shown group by ref having not bool_or(is_own)) as s
left join catalog.product_current c on c.product_key = s.ref
left join home on home.category_key = c.leaf_key
left join (
  select coalesce(p.product_key, -1 - (hashtextextended(p.product_id, 0) & 4611686018427387903)) as ref,
    coalesce(p.leaf_id, p.leaf_no::text) as leaf, under.crawled_no as root_no
  from night join stage.product p using (run_id)
  left join under on under.category_no = p.leaf_no and under.is_root
) as fresh using (ref)
where c.leaf_key is not null or fresh.leaf is not null
group by s.ref;
-- It has, where ids and the tree disagree.
delete from misplaced m
using night join ops.category_crawl c using (run_id)
join shown using (category_no)
where c.root_no = m.root_no and shown.ref = m.ref;

-- The six nights before. `is_accepted`: its loss of products was proven, has lasted, or was released. `is_level`: none
-- after it was, so that its numbers of products are the usual ones.
insert into earlier (run_id, is_certified, observed_at, is_accepted)
select r.run_id, r.verdict <> 'partial', r.observed_at,
  c.released_because is not null
    or c.reasons @? '$[*] ? (@.code == "fell_proven" || @.code == "fell_lasted" || @.code == "fell_released")'
from (
  select distinct on (r.snapshot_date) r.run_id, r.verdict, r.observed_at
  from night join ops.published_run r using (region)
  where r.snapshot_date < night.snapshot_date
  order by r.snapshot_date desc, r.observed_at desc
  limit 6
) as r
join ops.certificate c using (run_id);
update earlier
set is_level = observed_at >= coalesce((select max(observed_at) from earlier where is_accepted), '-infinity');

-- The last certified run, or without one the last published.
insert into last_certified
select r.run_id, r.products_listed, r.observed_at, greatest(1, night.snapshot_date - r.snapshot_date)
from night join ops.published_run r using (region)
where r.observed_at < night.observed_at
order by r.verdict <> 'partial' desc, r.observed_at desc
limit 1;

-- Listed products that no page showed, with the crawled category they belong to (or the top of what was not crawled),
-- and what their own pages say. A page that is neither for sale nor gone (out of stock, for example) proves neither.
-- `is_left_out`: a category that is not read tonight listed it, too, so that it is not gone unless its page says so.
insert into missing
with left_out as materialized (
  select distinct product_key from catalog.extra_listing join home using (category_key)
  where valid_to is null and root_no not in (select category_no from night join ops.category_page using (run_id))
)
select p.product_id, home.root_no, case when home.root_no is null then top.category_key end,
  coalesce(p.first_seen_at <= (select observed_at from last_certified), false),
  left_out.product_key is not null, d.product_id is not null,
  own_page.is_answered, own_page.is_answered and s.status is not distinct from 'AvailableForSale',
  own_page.is_answered and (d.outcome = 'not_there' or s.status is not distinct from 'ProductNotFound')
from night join catalog.product_current c using (region)
join catalog.product p using (product_key)
left join left_out using (product_key)
left join home on home.category_key = c.leaf_key
left join catalog.category leaf on leaf.category_key = c.leaf_key
left join catalog.category top on top.category_key = leaf.ancestors[1] and top.label <> 'not in taxonomy'
left join ops.detail_fetch d on d.run_id = night.run_id and d.product_id = p.product_id
left join stage.detail s on s.run_id = night.run_id and s.product_id = p.product_id
cross join lateral (select coalesce(d.status = 'done', false) as is_answered) as own_page
where c.availability in ('available', 'unavailable')
  and not exists (select from shown where shown.ref = c.product_key);

-- 1. The categories.
delete from ops.category_evidence where run_id = (select run_id from night);
insert into ops.category_evidence (run_id, category_no, root_no, category_id, path, is_sample, is_descended,
  repairs, is_in_taxonomy, declared_first, declared, totals, pages_planned, pages_failed, pages_unrequested,
  pages_ending, received, rejected, seen, sponsored, hidden, misplaced, unseen, asked, for_sale, gone)
with page as materialized (
  select p.category_no, p.page_no, bool_or(p.status = 'done') as is_done, bool_or(p.error = 'budget') as is_unrequested,
    coalesce(max(p.items_received), 0) as items, coalesce(max(p.rejected), 0) as rejected,
    max(coalesce(nullif(c.results_per_page, 0), 24)) as size, max(c.declared_last) as declared,
    min(p.declared_total) as lowest, max(p.declared_total) as highest
  from night join ops.category_page p using (run_id)
  join ops.category_crawl c using (run_id, category_no)
  group by p.category_no, p.page_no
), pages as (
  -- An empty page within the declared total ends a listing early; without a total, also one that brings nothing new.
  -- What exceeds a page's size is advertisements.
  select category_no, count(*)::int as planned, (count(*) filter (where not is_done))::int as failed,
    (count(*) filter (where is_unrequested and not is_done))::int as unrequested,
    (count(*) filter (where is_done and case
      when declared is not null then items = 0 and page_no <= ceil(declared::numeric / size)
      else items = 0 or page_no > 1 and not exists (
        select from shown where shown.category_no = page.category_no and shown.first_page = page.page_no)
    end))::int as ending,
    sum(items)::int as received, sum(rejected)::int as rejected, sum(least(items, size) - rejected)::int as places,
    -- Totals that vary are estimates. The lowest holds, less what they vary by, if all pages up to the end are full.
    case when bool_and(is_done) and min(lowest) < max(highest)
      and count(*) filter (where items >= size) = coalesce(max(page_no) filter (where items >= size), 0)
      and count(*) filter (where items between 1 and size - 1) <= 1
      and count(*) filter (where items > 0) = max(page_no) filter (where items > 0)
      and count(*) filter (where items > 0) * max(size)
        >= min(lowest) - least(max(highest) - min(lowest), max(size) - 1)
      and bool_or(items < size)
    then least(min(lowest), sum(least(items, size))::int) end as estimated
  from page
  group by category_no
), total as (
  select category_no, (array_agg(declared_total order by fetched_at, page_no))[1] as first,
    (array_agg(declared_total order by fetched_at desc, page_no desc))[1] as last,
    count(distinct declared_total)::int as different
  from night join ops.category_page using (run_id)
  where declared_total is not null
  group by category_no
), own as (
  select category_no, count(*)::int as products from shown group by category_no
), below as (
  -- With what the categories below it showed, if any were read.
  select under.crawled_no as category_no, count(distinct shown.ref)::int as products
  from shown
  join under using (category_no)
  where under.crawled_no in (
    select crawled_no from under join own using (category_no) where under.crawled_no <> under.category_no)
  group by under.crawled_no
), hidden as (
  -- What categories below it showed, and it did not.
  select under.crawled_no as category_no, count(distinct s.ref)::int as products
  from shown s
  join under using (category_no)
  where under.crawled_no <> s.category_no and s.is_member
    and not exists (select from shown a where a.category_no = under.crawled_no and a.ref = s.ref)
  group by under.crawled_no
), moved as (
  select root_no, count(*)::int as products from misplaced group by root_no
), missed as (
  select root_no, count(*)::int as products, (count(*) filter (where is_asked))::int as asked,
    (count(*) filter (where is_for_sale))::int as for_sale, (count(*) filter (where is_gone))::int as gone
  from missing
  group by root_no
)
select c.run_id, c.category_no, c.root_no, c.category_id, coalesce(s.path, outside.path, c.category_id), c.is_sample,
  c.is_descended, c.repairs, s.run_id is not null, total.first, coalesce(pages.estimated, total.last),
  coalesce(total.different, 0), coalesce(pages.planned, 0), coalesce(pages.failed, 0), coalesce(pages.unrequested, 0),
  case when estimated is null then coalesce(pages.ending, 0) else 0 end, coalesce(pages.received, 0),
  coalesce(pages.rejected, 0), greatest(least(own.products, pages.places), below.products, 0),
  greatest(own.products - pages.places, 0), coalesce(hidden.products, 0), coalesce(moved.products, 0),
  coalesce(missed.products, 0), coalesce(missed.asked, 0), coalesce(missed.for_sale, 0), coalesce(missed.gone, 0)
from night join ops.category_crawl c using (run_id)
left join pages using (category_no)
left join total using (category_no)
left join own using (category_no)
left join below using (category_no)
left join hidden using (category_no)
left join stage.category s on s.run_id = c.run_id and s.category_no = c.category_no
left join jsonb_to_recordset(night.outside_taxonomy) as outside ("categoryId" text, path text)
  on outside."categoryId" = c.category_id
left join moved on moved.root_no = c.category_no
left join missed on missed.root_no = c.category_no;

-- The usual number is the fourth lowest of seven nights, this one included: their median, so that a fall is believed on
-- its fourth night, and a higher one while there are fewer nights.
update ops.category_evidence e
set usual = ranked.seen
from night cross join (
  select category_id, seen, row_number() over (partition by category_id order by seen) as place,
    count(*) over (partition by category_id) as nights
  from ops.category_evidence
  where not is_sample and pages_planned > 0
    and run_id in (select run_id from night union all select run_id from earlier where is_level)
) as ranked
where e.run_id = night.run_id and ranked.category_id = e.category_id
  and ranked.place = least(4, ranked.nights);

-- 2. The run.
delete from ops.run_evidence where run_id = (select run_id from night);
insert into ops.run_evidence (run_id, is_first, categories, unread_tops, uncovered, products, homeless,
  listed_before, nights, unseen, answered, for_sale, lasting, accepted, usual, unseen_elsewhere, asked_elsewhere,
  for_sale_elsewhere, gone_elsewhere, paused_hours, rereads, asks)
with missed as materialized (
  select count(*) filter (where was_listed) as unseen,
    count(*) filter (where was_listed and (is_for_sale or is_gone)) as answered,
    count(*) filter (where was_listed and is_for_sale) as for_sale,
    count(*) filter (where root_no is null) as elsewhere,
    count(*) filter (where root_no is null and is_asked) as asked_elsewhere,
    count(*) filter (where root_no is null and is_for_sale) as for_sale_elsewhere,
    count(*) filter (where root_no is null and is_gone) as gone_elsewhere
  from missing
), tonight as materialized (
  select count(distinct ref) as products from shown
), level as (
  select tonight.products from tonight
  union all
  select e.products from earlier join ops.run_evidence e using (run_id) where earlier.is_level
), loss as (
  -- Products missing on the nights since the last certified one.
  select missed.unseen from missed
  union all
  select e.unseen
  from earlier
  join ops.run_evidence e using (run_id)
  where earlier.observed_at > coalesce((select max(observed_at) from earlier where is_certified), '-infinity')
)
select night.run_id,
  not exists (
    select from ops.certified_run r where r.region = night.region and r.observed_at < night.observed_at),
  (select count(*) from stage.category s where s.run_id = night.run_id),
  -- Not repeated ones (taxonomy.ts): their children are read.
  (select count(distinct q.path) from ops.quarantine q
   where q.run_id = night.run_id and q.endpoint = night.region || '-taxonomy'
     and q.path ~ '^data\.taxonomy\[\d+\]$' and q.reason <> 'id: a category of this id came before'),
  -- Leaves that are too long to be asked for, below no category that was.
  (select count(*) from stage.category s
   where s.run_id = night.run_id
     and not exists (select from stage.category child where child.run_id = s.run_id and child.parent_no = s.category_no)
     and not exists (select from under where under.category_no = s.category_no)),
  tonight.products,
  (select count(*) from misplaced where root_no is null),
  coalesce((select products_listed from last_certified), 0), coalesce((select nights from last_certified), 1),
  missed.unseen, missed.answered, missed.for_sale,
  coalesce((select unseen from loss order by unseen desc offset 3 limit 1), 0),
  coalesce((
    select e.unseen
    from last_certified
    join ops.run_evidence e using (run_id)
    join ops.certificate c using (run_id)
    where c.released_from = 'published'
  ), 0),
  case when exists (select from earlier) then
    (select products from level order by products offset least(3, (select count(*) - 1 from level)) limit 1) end,
  missed.elsewhere, missed.asked_elsewhere, missed.for_sale_elsewhere, missed.gone_elsewhere,
  -- Pages read after a pause past midnight belong to another night. A simulator shows the night of its own date.
  (select coalesce(floor(max(hours)), 0)
   from (
     select extract(epoch from fetched_at - coalesce(lag(fetched_at) over (order by fetched_at), r.started_at)) / 3600
         as hours,
       is_page and (fetched_at at time zone region.time_zone)::date > r.snapshot_date as is_later
     from ops.run r
     join catalog.region region using (region)
     join (
       select run_id, fetched_at, true as is_page from ops.category_page where status = 'done'
       union all
       select run_id, fetched_at, false from ops.detail_fetch where fetched_at is not null
     ) as read using (run_id)
     where r.run_id = night.run_id and coalesce(r.upstream, '') not like 'simulator %') as pause
   where is_later),
  (select count(*) from ops.category_page p where p.run_id = night.run_id and p.attempt_no > 1),
  (select count(*) from ops.detail_fetch d where d.run_id = night.run_id and d.reason = 'missing')
from night cross join missed
cross join tonight;

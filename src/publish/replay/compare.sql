-- Ends a replay: removes what no night named again, and collects how `fact` differs from `before`.

delete from catalog.category c using rewound w
where c.region = w.region and c.first_seen_at = 'infinity'
  and not exists (select from catalog.product_category pc where pc.category_key = c.category_key)
  and not exists (select from catalog.category below where c.category_key = any (below.ancestors)
    and below.category_key <> c.category_key and below.first_seen_at < 'infinity');
update catalog.category c set first_seen_at = w.from_at
from rewound w
where c.region = w.region and c.first_seen_at = 'infinity';
delete from catalog.promotion p using rewound w
where p.region = w.region
  and not exists (select from catalog.product_promotion carried where carried.promotion_key = p.promotion_key)
  and p.promotion_key in (select other from before where kind = 'promotion');

update catalog.product_current c
set detail_read_at = b.detail_read_at
from read_before b
where c.product_key = b.product_key and c.detail_read_at is distinct from b.detail_read_at;

-- A spell from before the window that only one side has ended is open, with the same value, on the other side.
create temporary table difference on commit drop as
select kind, product_key, other, valid_from, field.*,
  case when was.value is distinct from now.value then valid_from else least(b.valid_to, a.valid_to) end as since
from before b
full join fact a using (kind, product_key, other, valid_from)
cross join rewound
cross join lateral (select coalesce(b.value, case when valid_from < from_at then a.value end) as value) as was
cross join lateral (select coalesce(a.value, case when valid_from < from_at then b.value end) as value) as now
cross join lateral (
  select key as field, l.value as live, r.value as replayed
  from jsonb_each_text(was.value || jsonb_build_object('until', coalesce(b.valid_to::text, 'open'))) as l
  full join jsonb_each_text(now.value || jsonb_build_object('until', coalesce(a.valid_to::text, 'open'))) as r
    using (key)
) as field
where (was.value, b.valid_to) is distinct from (now.value, a.valid_to) and field.live is distinct from field.replayed;

-- Updates category_ancestor from the categories' parents, without touching equal rows. Limited to the regions of
-- `night`, because another region may be publishing at the same time.

-- UNION, not UNION ALL: a cycle among the parents would never end.
with recursive ancestry (category_key, ancestor_key) as (
  select category_key, category_key from catalog.category where region in (select region from night)
  union
  select below.category_key, above.parent_key
  from ancestry below
  join catalog.category above on above.category_key = below.ancestor_key
  where above.parent_key is not null
),
outdated as (
  delete from catalog.category_ancestor known
  where not exists (
      select from ancestry a where a.category_key = known.category_key and a.ancestor_key = known.ancestor_key)
    -- A replay may have removed the category itself.
    and not exists (
      select from catalog.category c
      where c.category_key = known.category_key and c.region not in (select region from night))
)
insert into catalog.category_ancestor (category_key, ancestor_key, is_itself)
select category_key, ancestor_key, category_key = ancestor_key
from ancestry a
where not exists (
  select from catalog.category_ancestor known
  where known.category_key = a.category_key and known.ancestor_key = a.ancestor_key)
order by category_key, ancestor_key;

-- Products that a published partial run did not see. Its pages hold unchanged products; its certificate holds new and
-- changed ones. The release overrules what products' own pages say.

create temporary table availability_change (product_key int, availability catalog.availability) on commit drop;

create temporary table seen_product on commit drop as
select unnest(page.seen_keys) as product_key from night join ops.category_page page using (run_id)
union all
select unnest(c.changed_keys) from night join ops.certificate c using (run_id);
analyze seen_product;

create temporary table own_page (product_id text, says_gone bool) on commit drop;

create temporary table unseen_product on commit drop as
select c.product_key, p.product_id, c.availability, c.availability_since
from catalog.product_current c
join catalog.product p using (product_key)
where p.region = (select region from night) and c.availability <> 'delisted'
  and not exists (select from seen_product s where s.product_key = c.product_key);

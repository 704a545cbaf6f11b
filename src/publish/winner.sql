-- One observation per new or changed product: the first by category id, then page. That order does not depend on
-- arrival and hardly changes between nights, so a product that two categories show differently does not alternate. An
-- observation equal to the catalogue's version competes like any other.

-- Unnested in the select list: in a join, the planner would cache each page's array by its whole content.
create temporary table unchanged_observation on commit drop as
select unnest(page.seen_keys) as product_key, page.category_no, page.page_no
from ops.category_page page
where page.run_id = (select run_id from night);
analyze unchanged_observation (product_key);

create temporary table winner on commit drop as
select coalesce(known_key, catalog.next_product_key((select region from night), product_id)) as product_key,
  known_key is null as is_new, product_id, first_observation.entry_hash, first_observation.tpnb,
  first_observation.gtin,
  -- Unreadable values keep their previous value.
  coalesce(first_observation.title, last.title, product_id) as title, first_observation.brand,
  first_observation.image_url, coalesce(first_observation.is_for_sale, last.is_for_sale, false) as is_for_sale,
  price_minor, unit_price, unit_of_measure, first_observation.seller, first_observation.catch_weight_grams,
  first_observation.charges, first_observation.deposit_minor, leaf_no, leaf_id, promotion_hashes, category_no, page_no
from (
  select distinct on (product_id) product_key as known_key, *
  from stage.product
  where run_id = (select run_id from night)
  order by product_id, category_no, page_no, reading
) as first_observation
left join (
  select product_key, title, is_for_sale from catalog.product
) as last
  on last.product_key = known_key and (first_observation.title is null or first_observation.is_for_sale is null)
-- Keys are drawn in the order of the ids, so that rows of new products extend their indexes at the end.
order by product_id;

-- Changed products that another page showed unchanged: if that page comes first, the catalogue's version wins.
delete from winner w using unchanged_observation s
where not w.is_new and s.product_key = w.product_key
  and (s.category_no, s.page_no) < (w.category_no, w.page_no);

-- Ids that the upstream reassigned to another article: the title shares no word with the former one, the brand differs,
-- and so does the barcode or, if one has none, the department. A renamed, rebranded or recoded product keeps one of
-- these. The former article is delisted, and the new one becomes a new product.
update night
set replaced = array(
  with suspect as materialized (
    select w.product_key, w.product_id, w.title, p.title as former_title, w.leaf_no, w.category_no,
      w.gtin <> p.gtin as has_other_barcode
    from winner w
    join catalog.product p using (product_key)
    where not w.is_new
      and lower(w.brand) <> lower(p.brand)
      and position(lower(w.brand) in lower(p.brand)) = 0 and position(lower(p.brand) in lower(w.brand)) = 0
      -- Codes assigned by shops (GS1 prefixes 02, 04 and 2) do not identify an article.
      and (w.gtin is null or p.gtin is null or w.gtin <> p.gtin and w.gtin !~ '^.(0[24]|2)' and p.gtin !~ '^.(0[24]|2)')
      and not exists (select from unchanged_observation s where s.product_key = w.product_key)
  )
  select s.product_key
  from suspect s
  where not exists (
      select from regexp_split_to_table(lower(s.title), '[^[:alpha:]]+') as word
      where length(word) >= 3
        and word = any(regexp_split_to_array(lower(s.former_title), '[^[:alpha:]]+')))
    and (
      s.has_other_barcode
      or exists (select from catalog.product_category pc where pc.product_key = s.product_key and pc.valid_to is null)
      and not exists (
        select from catalog.product_category pc
        join catalog.category_ancestor above using (category_key)
        join catalog.category department on department.category_key = above.ancestor_key and department.depth = 0
        join stage.category shelf on shelf.run_id = (select run_id from night)
          and shelf.category_no = coalesce(s.leaf_no, s.category_no)
        where pc.product_key = s.product_key and pc.valid_to is null
          and department.name = split_part(shelf.path, ' > ', 1)))
);

update winner w
set is_new = true, product_key = catalog.next_product_key((select region from night), w.product_id)
where w.product_key = any ((select replaced from night)::int[]);

create unique index on winner (product_key);
-- Analyze only the join columns; analyzing the texts would cost more than everything else.
analyze winner (product_key, is_new, leaf_no, leaf_id);

-- Current values of known products.
create temporary table former on commit drop as
select p.product_key, p.valid_from, p.title, p.brand, p.tpnb, p.gtin, p.has_gtin_of_details, p.image_url, p.seller,
  p.catch_weight_grams, p.charges, p.deposit_minor, c.price_minor, c.unit_price, c.unit_of_measure
from winner w
join catalog.product p using (product_key)
join catalog.product_current c using (product_key)
where not w.is_new;
analyze former (product_key);

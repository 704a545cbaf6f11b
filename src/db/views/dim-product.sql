create view marts.dim_product as
select
  p.region,
  p.product_id,
  p.product_key,
  p.tpnb,
  p.gtin,
  p.title,
  p.brand,
  marts.brand_key(p.brand) as brand_key,
  p.image_url,
  availability.availability::text as availability,
  department.category_id as department_id,
  department.name as department,
  p.first_seen_at,
  p.valid_from as current_since,
  detail.description,
  detail.ingredients,
  array_to_string(detail.allergens, ', ') as allergens,
  case pack.source when 'title' then p.pack_size else detail.pack_size end::numeric(22, 3) as pack_size,
  case pack.source when 'title' then p.pack_measure else detail.pack_measure end as pack_measure,
  case pack.source
    when 'title' then coalesce(p.pack_count, detail.pack_count)
    else coalesce(detail.pack_count, p.pack_count)
  end as pack_count,
  pack.source as pack_source,
  detail.storage,
  detail.product_type,
  detail.status,
  detail.valid_from as details_since,
  p.seller,
  p.seller is not null and p.seller !~* '^tesco\y' as is_marketplace,
  coalesce(p.catch_weight_grams, detail.catch_weight_grams) is not null as is_catch_weight,
  (coalesce(p.catch_weight_grams, detail.catch_weight_grams) * 0.001)::numeric(9, 3) as catch_weight,
  coalesce(p.charges, detail.charges)::text as charges,
  (coalesce(p.deposit_minor, detail.deposit_minor) * 0.01)::numeric(12, 2) as deposit,
  p.replaced_at
from catalog.product p
left join catalog.product_current availability on availability.product_key = p.product_key
-- Outer joins to at most one row, so they are omitted if none of their columns is requested.
left join lateral (
  select distinct on (current.product_key) current.*
  from catalog.product_detail current
  where current.product_key = p.product_key and current.valid_to is null
) as detail on detail.product_key = p.product_key
-- A content takes precedence over a count of pieces.
cross join lateral (
  select case
    when p.pack_size is not null
      and (detail.pack_size is null or p.pack_measure <> 'each' or detail.pack_measure = 'each') then 'title'
    when detail.pack_size is not null then 'details'
  end as source
) as pack
left join catalog.category leaf on leaf.category_key = availability.leaf_key
left join catalog.category department on department.category_key = leaf.ancestors[1];

select ops.describe('marts.dim_product', $$
One row is a product of a region in its current version, including products that are gone. Its prices are in the facts.
product_id: The upstream's id, as in the product's address; with region the natural key where replaced_at is null.
product_key: Surrogate key.
tpnb: The supermarket's base product number without leading zeros; an attribute, not a key. Null when not given.
gtin: Barcode in 14 digits, from the listing or, if that has none, from the product's own page; an attribute, not a key.
  Null when not given.
title: Current title, with each run of white space as one space.
brand: Current brand as printed; null when not given.
image_url: Address of the current image without its query, which only asks for a size; null when not given.
availability: Now: available, unavailable (listed, not for sale), absent (missed by one certified night) or delisted
  (missed by several in a row).
department_id: category_id of its department; joins dim_category.
department: Its home: the top-level category of its own breadcrumb, now or when it was last listed. So no department of
  offers or events, which only lists products of others. Null when no breadcrumb of it is known.
first_seen_at: When a run first saw it.
current_since: Since when title, brand, codes, image, seller, typical weight and charges are unchanged.
description: Description from the product's own page; null, like all details, until that page has been read.
ingredients: Ingredients as plain text.
allergens: Allergens in alphabetical order, separated by ", "; empty when none is named.
pack_size: Content of the pack, in pack_measure: 1320 for 4 x 330ml, 4 for a 4 Pack without content. Null if unknown.
pack_source: Source of pack_size: title, or details (the product's own page) if the title states none; null if unknown.
pack_count: Number of pieces in the pack, such as 4 for 4 x 330ml; null if the pack does not state it.
storage: Storage instructions.
product_type: The upstream's own term, such as SingleProduct or LooseProduce.
status: The upstream's own term on the product's page, such as AvailableForSale, when the details were read; for the
  current state see availability.
details_since: Since when the details are unchanged; null if they were never read.
seller: Seller of the offer whose price is shown, as named in the payload: the supermarket's own offer, otherwise the
  cheapest one with a price. Null if the payload names no seller.
is_marketplace: Whether the seller is not the supermarket itself.
is_catch_weight: Whether its packs vary in weight; its price is then per kilogram.
catch_weight: Typical weight of such a pack in kilograms; null for other products.
charges: Charges in addition to the price, as received (JSON); null if there are none.
deposit: Container deposits among the charges, in the region's currency; null if there are none.
replaced_at: When the upstream gave its product_id to another article, which is a separate product from then on; null:
  never. An id counts as reassigned if the title shares no word with the former one, the brand differs, and so does the
  barcode or, without barcodes, the department.
$$);

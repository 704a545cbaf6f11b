create view marts.product_night as
select
  run.region,
  run.snapshot_date,
  product.product_id,
  product.product_key,
  product.title,
  product.price,
  region.currency,
  product.unit_price,
  product.unit_of_measure,
  product.loyalty_price,
  product.availability,
  product.on_promotion,
  change.change_seq,
  change.updated_at,
  product.brand,
  run.run_id,
  department.name as department
from ops.published_run run
join catalog.region region on region.region = run.region
-- One look-up in the index for each region. "offset 0": not again for each night.
join (
  select region.region, latest.run_id, latest.observed_at
  from catalog.region
  cross join lateral (
    select published.run_id, published.observed_at
    from ops.published_run published
    where published.region = region.region
    order by published.observed_at desc
    limit 1
  ) as latest
  offset 0
) as last on last.region = run.region
-- Each night is planned separately, with its instant as a constant, so that filters on products reach the tables and a
-- night can be read in parallel. "(select …)" does this: the value is computed once, before the night is read.
cross join lateral (
  -- The last night: without earlier versions.
  select n.product_id, n.product_key, n.title, n.brand, n.price, n.unit_price, n.unit_of_measure, n.loyalty_price,
    n.availability, n.on_promotion, n.own_category_key as leaf_key
  from marts.product_now n
  where (select run.run_id = last.run_id)
    and n.region = (select run.region)
    and (n.is_for_sale or n.availability = 'unavailable')
  union all
  -- Any other night: rows unchanged since, plus spells that had not ended by then. These are stored together, the
  -- latest at the end, so that a recent night reads few pages of the histories.
  select
    p.product_id,
    p.product_key,
    coalesce(former.title, p.title),
    case when former.product_key is null then p.brand else former.brand end,
    (case
      when shown.product_key is not null then shown.price_minor
      when c.price_since <= (select run.observed_at) then c.price_minor
      else price.price_minor
    end * 0.01)::numeric(12, 2),
    case
      when shown.product_key is not null then shown.unit_price
      when c.price_since <= (select run.observed_at) then c.unit_price
      else price.unit_price
    end,
    case
      when shown.product_key is not null then shown.unit_of_measure
      when c.price_since <= (select run.observed_at) then c.unit_of_measure
      else price.unit_of_measure
    end,
    (case
      when c.offer_since <= (select run.observed_at) then c.loyalty_price_minor
      else offer.loyalty_price_minor
    end * 0.01)::numeric(12, 2),
    case
      when c.availability_since <= (select run.observed_at) then c.availability
      else state.availability
    end::text,
    coalesce(c.offer_since <= (select run.observed_at), false) or offer.product_key is not null,
    case when c.leaf_since <= (select run.observed_at) then c.leaf_key else place.leaf_key end
  -- All have ended by the last night, but only with this condition does the planner expect few of them and read the
  -- later ones once. Otherwise, and without "is true", it looks up products one by one in the indexes, which takes ten
  -- times as long.
  from catalog.product p
  join catalog.product_current c on c.product_key = p.product_key
  left join catalog.availability_history state
    on state.product_key = p.product_key
    and state.valid_to > (select run.observed_at)
    and state.valid_to <= (select last.observed_at)
    and (state.valid_from <= (select run.observed_at)) is true
  left join catalog.price_history price
    on price.product_key = p.product_key
    and price.valid_to > (select run.observed_at)
    and price.valid_to <= (select last.observed_at)
    and (price.valid_from <= (select run.observed_at)) is true
  left join catalog.product_history former
    on former.product_key = p.product_key
    and former.valid_to > (select run.observed_at)
    and former.valid_from <= (select run.observed_at)
  left join catalog.offer_history offer
    on offer.product_key = p.product_key
    and offer.valid_to > (select run.observed_at)
    and offer.valid_to <= (select last.observed_at)
    and (offer.valid_from <= (select run.observed_at)) is true
  left join catalog.leaf_history place
    on place.product_key = p.product_key
    and place.valid_to > (select run.observed_at)
    and place.valid_to <= (select last.observed_at)
    and (place.valid_from <= (select run.observed_at)) is true
  left join catalog.shown_price shown
    on shown.product_key = p.product_key
    and shown.valid_from <= (select run.observed_at)
    and (shown.valid_to > (select run.observed_at)) is not false
  where (select run.run_id <> last.run_id)
    and p.region = (select run.region)
    and (
      c.availability_since <= (select run.observed_at) and c.availability in ('available', 'unavailable')
      or state.availability in ('available', 'unavailable'))
) as product
left join catalog.category leaf on leaf.category_key = product.leaf_key
left join catalog.category department on department.category_key = leaf.ancestors[1]
left join ops.night_change change on change.region = run.region and change.snapshot_date = run.snapshot_date;

select ops.describe('marts.product_night', $$
One row is a listed product after a published run, certified or not: the source of marts.as_of and
  marts.fct_price_daily. Always name run_ids; a date can have several.
product_id: The upstream's product id; with run_id the natural key.
title: Title of that night, without spaces at its ends.
brand: Brand of that night as printed; null when not given.
price: Ordinary price in currency; null if the product was listed without one. For an unavailable product the last price
  shown, which is not an offer: changes, spells and indices ignore it.
loyalty_price: Lowest price for loyalty members among the promotions in effect that night; null without one.
availability: available, or unavailable: listed but not for sale.
on_promotion: Whether any promotion was attached and in effect that night.
department: Its home that night: the top-level category of its own breadcrumb; null where none was known.
$$);

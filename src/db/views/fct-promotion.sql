create view marts.fct_promotion as
select
  p.region,
  p.product_id,
  p.product_key,
  promotion.description,
  promotion.offer_type,
  promotion.kind,
  (promotion.loyalty_price_minor * 0.01)::numeric(12, 2) as loyalty_price,
  region.currency,
  promotion.starts_at,
  promotion.ends_at,
  carried.valid_from as seen_from,
  carried.valid_to as seen_to,
  case when promotion.kind in ('multibuy', 'n_for_m', 'save_percent') then promotion.quantity end as effective_quantity,
  (case
    when promotion.kind = 'multibuy' then promotion.deal_price_minor / promotion.quantity::numeric
    when promotion.kind = 'n_for_m'
      then start.price_minor::bigint * promotion.pay_quantity / promotion.quantity::numeric
    when promotion.kind = 'save_percent' and promotion.quantity is not null
      then start.price_minor * (100 - promotion.save_percent) / 100
  end / 100)::numeric(14, 4) as effective_price,
  carried.promotion_key,
  (carried.valid_from at time zone region.time_zone)::date as snapshot_date,
  greatest(carrying.change_seq, began.change_seq) as change_seq,
  case when began.change_seq > carrying.change_seq then began.updated_at else carrying.updated_at end as updated_at,
  (promotion.deposit_minor * 0.01)::numeric(12, 2) as deposit
from catalog.product_promotion carried
join catalog.promotion promotion on promotion.promotion_key = carried.promotion_key
join catalog.product p on p.product_key = carried.product_key
join catalog.region region on region.region = p.region
left join derived.promotion_start start
  on start.product_key = carried.product_key
    and start.promotion_key = carried.promotion_key
    and start.seen_from = carried.valid_from
-- Change key of the night that first missed it or, while it lasts, first saw it; and of the data derived from the night
-- on which it began.
left join ops.night_change seen
  on seen.region = p.region
    and seen.snapshot_date = (coalesce(carried.valid_to, carried.valid_from) at time zone region.time_zone)::date
cross join lateral (
  select
    case when carried.valid_to is null then seen.open_seq else seen.change_seq end as change_seq,
    case when carried.valid_to is null then seen.open_updated_at else seen.updated_at end as updated_at
) as carrying
left join derived.night_change began
  on began.region = p.region and began.snapshot_date = coalesce(start.snapshot_date, '-infinity');

select ops.describe('marts.fct_promotion', $$
One row is a spell during which a product carried a promotion. Carried does not mean in effect: the promotion may begin
  or end by its own dates, or the product may be gone. fct_price_daily.on_promotion shows whether a product was on
  promotion on a night; fct_promotion_check (began_on, ended_on) shows when a promotion was in effect.
description: The promotion's text as received.
offer_type: The upstream's own term, such as CLUBCARD_PRICING; null when not given.
kind: Meaning of the text; unknown when in doubt.
loyalty_price: Price of one product for loyalty members, in currency; null unless the text states it clearly.
starts_at: Start according to the supermarket; null when not given.
ends_at: End according to the supermarket, exclusive; null when not given.
seen_from: When a run first saw it on the product.
seen_to: When a run listed the product without it; null while it is carried, and if the product is gone since (see
  dim_product.availability).
effective_quantity: Number of products to buy for a multibuy deal; null for other promotions, and if the text does not
  state it.
effective_price: Price of one product when effective_quantity are bought together, four decimals, in currency. If the
  text states free items or a percentage, equal prices are assumed. A single product costs the shelf price.
promotion_key: Key of text and dates together; with product_key and seen_from the natural key.
snapshot_date: Snapshot date of the night that first saw it.
change_seq: Change key of the row: rises whenever the spell begins or ends, its nights are changed, or its first
  price is derived, in commit order. Rows with a greater key than those of a copy are new or have changed.
deposit: Container deposit stated in the text, in currency: paid in addition to the price unless the text includes it.
  Null if none is stated.
$$);

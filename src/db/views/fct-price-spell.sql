create view marts.fct_price_spell as
select
  p.region,
  p.product_id,
  p.product_key,
  (spell.price_minor * 0.01)::numeric(12, 2) as price,
  region.currency,
  spell.unit_price,
  spell.unit_of_measure,
  (spell.loyalty_price_minor * 0.01)::numeric(12, 2) as loyalty_price,
  spell.valid_from,
  spell.valid_to,
  case when spell.valid_to is null then change.open_seq else change.change_seq end as change_seq,
  case when spell.valid_to is null then change.open_updated_at else change.updated_at end as updated_at
from catalog.product p
join catalog.region region on region.region = p.region
-- Per product: the values of three histories at every date on which one of them changed, without dates on which it was
-- not listed.
cross join lateral (
  select *, lead(valid_from) over (order by valid_from) as valid_to
  from (
    select *, lag(value) over (order by valid_from) is distinct from value as is_start
    from (
      select
        moment.on_date as valid_from,
        listed.product_key is not null as is_listed,
        price.price_minor,
        price.unit_price,
        price.unit_of_measure,
        offer.loyalty_price_minor,
        case
          when listed.product_key is not null
            then row(price.price_minor, price.unit_price, price.unit_of_measure, offer.loyalty_price_minor)
        end as value
      from (
        -- The last change of a date is the result of the night's last run.
        select (at at time zone region.time_zone)::date as on_date, max(at) as at
        from (
          select valid_from as at from catalog.availability_spell where product_key = p.product_key
          union all
          select valid_from from catalog.price_spell where product_key = p.product_key
          union all
          select valid_from from catalog.offer_spell where product_key = p.product_key
          union all
          select valid_to from catalog.offer_spell where product_key = p.product_key and valid_to is not null
        ) as change
        group by 1
      ) as moment
      left join catalog.availability_spell listed
        on listed.product_key = p.product_key
        and listed.valid_from <= moment.at
        and (listed.valid_to is null or listed.valid_to > moment.at)
        and listed.availability in ('available', 'unavailable')
      left join catalog.price_spell price
        on price.product_key = p.product_key
        and price.valid_from <= moment.at
        and (price.valid_to is null or price.valid_to > moment.at)
      left join catalog.offer_spell offer
        on offer.product_key = p.product_key
        and offer.valid_from <= moment.at
        and (offer.valid_to is null or offer.valid_to > moment.at)
    ) as state
  ) as marked
  where is_start
) as spell
-- An ended spell has the key of the night that ended it.
left join ops.night_change change
  on change.region = p.region and change.snapshot_date = coalesce(spell.valid_to, spell.valid_from)
where spell.is_listed;

select ops.describe('marts.fct_price_spell', $$
One row is a spell of nights during which a listed product had one price, unit price and loyalty price. A product has no
  spell while it is not listed. A date that was crawled twice counts as its last run left it, certified or not, as in
  marts.as_of; fct_price_daily uses the last certified run. A spell of one night and one of a year are one row each:
  join marts.snapshot for an average over nights. Computed product by product: name products or a category; for a whole
  region on one night, marts.as_of is faster.
price: Ordinary price in currency; null while the product was listed without one.
loyalty_price: Lowest price for loyalty members among the promotions in effect; null without one.
change_seq: Change key of the row: rises whenever the spell begins or ends or its nights are changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed.
$$);

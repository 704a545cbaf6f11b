-- Promotions of winners, and the period in which each product carried them.

insert into catalog.promotion (region, promotion_hash, description, offer_type, starts_at, ends_at, kind,
  loyalty_price_minor, loyalty_unit_price, loyalty_unit_measure, quantity, pay_quantity, deal_price_minor, save_percent,
  was_price_minor, now_price_minor, saving_minor, deposit_minor)
select (select region from night), s.promotion_hash, s.description, s.offer_type, s.starts_at, s.ends_at, s.kind,
  s.loyalty_price_minor, s.loyalty_unit_price, s.loyalty_unit_measure, s.quantity, s.pay_quantity, s.deal_price_minor,
  s.save_percent, s.was_price_minor, s.now_price_minor, s.saving_minor,
  s.deposit_minor
from stage.promotion s
where s.run_id = (select run_id from night)
  and s.promotion_hash in (select unnest(promotion_hashes) from winner)
  and not exists (
    select from catalog.promotion p
    where p.region = (select region from night) and p.promotion_hash = s.promotion_hash)
order by s.promotion_hash;

create temporary table offered_promotion on commit drop as
select o.product_key, o.is_new, p.promotion_key
from (
  select distinct product_key, is_new, unnest(promotion_hashes) as promotion_hash from winner
) as o
join catalog.promotion p on p.promotion_hash = o.promotion_hash
where p.region = (select region from night);
analyze offered_promotion;

update catalog.product_promotion pp
set valid_to = (select observed_at from night)
from winner w
where not w.is_new and pp.product_key = w.product_key and pp.valid_to is null
  and not exists (
    select from offered_promotion o where o.product_key = pp.product_key and o.promotion_key = pp.promotion_key);

insert into catalog.product_promotion (product_key, promotion_key, valid_from)
select o.product_key, o.promotion_key, (select observed_at from night)
from offered_promotion o
where o.is_new
  or not exists (
    select from catalog.product_promotion pp
    where pp.product_key = o.product_key and pp.promotion_key = o.promotion_key and pp.valid_to is null)
order by o.product_key, o.promotion_key;

import type { Step } from './step.ts';

/**
 * What promotions in effect offer on each product, a row a spell (see the table). An offer changes with the promotions a
 * product carries, and also when one of them begins or ends by its dates since the night before.
 */
export const offerHistory: Step = {
  name: 'offer_history',
  statements: [
    `create temporary table dated_offer on commit drop as
     select distinct carried.product_key
     from night
     cross join lateral (
       select max(r.observed_at) as observed_at from ops.run r
       where r.region = night.region and r.status = 'published' and r.observed_at < night.observed_at
     ) as before
     join catalog.promotion o on o.region = night.region
       and (o.starts_at > before.observed_at and o.starts_at <= night.observed_at
         or o.ends_at > before.observed_at and o.ends_at <= night.observed_at)
     join catalog.product_promotion carried on carried.promotion_key = o.promotion_key and carried.valid_to is null
     where not exists (select from winner w where w.product_key = carried.product_key)`,
    `create temporary table offer on commit drop as
     select carried.product_key, ${lowestLoyaltyPrice('o')} as loyalty_price_minor
     from night cross join (
       select product_key, promotion_key from offered_promotion
       union all
       select product_key, promotion_key
       from dated_offer join catalog.product_promotion using (product_key)
       where valid_to is null
     ) as carried
     join catalog.promotion o on o.promotion_key = carried.promotion_key and ${isInEffect('o', 'night.observed_at')}
     group by carried.product_key`,
    'analyze offer',
    `update catalog.offer_history h
     set valid_to = night.observed_at
     from (select product_key from winner where not is_new union all select product_key from dated_offer) as known
     cross join night
     where h.product_key = known.product_key and h.valid_to is null
       and not exists (
         select from offer
         where offer.product_key = h.product_key and offer.loyalty_price_minor is not distinct from h.loyalty_price_minor)`,
    `insert into catalog.offer_history (product_key, loyalty_price_minor, valid_from)
     select offer.product_key, offer.loyalty_price_minor, night.observed_at
     from offer cross join night
     where not exists (
       select from catalog.offer_history h where h.product_key = offer.product_key and h.valid_to is null)
     order by offer.product_key`,
  ],
};

/** SQL: whether a promotion counts at an instant. */
export function isInEffect(promotion: string, at: string): string {
  return `(${promotion}.starts_at is null or ${promotion}.starts_at <= ${at}) and (${promotion}.ends_at is null or ${promotion}.ends_at > ${at})`;
}

/** SQL, an aggregate: what a member pays where several promotions count. */
export function lowestLoyaltyPrice(promotion: string): string {
  return `min(${promotion}.loyalty_price_minor) filter (where ${promotion}.kind = 'loyalty_price')`;
}

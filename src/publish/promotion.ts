import { promotionMeaning } from '../db/tables/promotion.ts';
import type { Step } from './step.ts';

const columns = ['promotion_hash', 'description', 'offer_type', 'starts_at', 'ends_at', ...promotionMeaning];

/** Promotions carried by winners, and from when to when each product carried them. */
export const promotion: Step = {
  name: 'promotion',
  statements: [
    `create temporary table offered on commit drop as
     select distinct w.product_key, w.is_new, hash.promotion_hash
     from winner w cross join lateral unnest(w.promotion_hashes) as hash (promotion_hash)`,
    `insert into catalog.promotion (region, ${columns.join(', ')})
     select night.region, ${columns.map((column) => `s.${column}`).join(', ')}
     from night join stage.promotion s using (run_id)
     where s.promotion_hash in (select promotion_hash from offered)
       and not exists (select from catalog.promotion p where p.region = night.region and p.promotion_hash = s.promotion_hash)
     order by s.promotion_hash`,
    `create temporary table offered_promotion on commit drop as
     select o.product_key, o.is_new, p.promotion_key
     from offered o cross join night
     join catalog.promotion p on p.region = night.region and p.promotion_hash = o.promotion_hash`,
    'analyze offered_promotion',
    `update catalog.product_promotion pp
     set valid_to = night.observed_at
     from winner w cross join night
     where not w.is_new and pp.product_key = w.product_key and pp.valid_to is null
       and not exists (
         select from offered_promotion o where o.product_key = pp.product_key and o.promotion_key = pp.promotion_key)`,
    `insert into catalog.product_promotion (product_key, promotion_key, valid_from)
     select o.product_key, o.promotion_key, night.observed_at
     from offered_promotion o cross join night
     where o.is_new or not exists (
       select from catalog.product_promotion pp
       where pp.product_key = o.product_key and pp.promotion_key = o.promotion_key and pp.valid_to is null)
     order by o.product_key, o.promotion_key`,
  ],
};

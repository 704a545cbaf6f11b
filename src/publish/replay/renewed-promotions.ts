import type { Database } from '../../db/client.ts';
import { promotionMeaning } from '../../db/tables/promotion.ts';

const meaningOf = (alias: string): string => promotionMeaning.map((column) => `${alias}.${column}`).join(', ');

/**
 * Updates promotions whose text now has another meaning, from a run staged in the shadow. Their products are due for a
 * new offer, which the publication of the run then computes (offer.sql); earlier nights keep their offers.
 */
export async function renewPromotions(shadow: Database, runId: number): Promise<void> {
  await shadow.query(
    `with renewed as (
       update catalog.promotion p
       set ${promotionMeaning.map((column) => `${column} = s.${column}`).join(', ')}
       from stage.promotion s join ops.run r using (run_id)
       where s.run_id = $1 and p.region = r.region and p.promotion_hash = s.promotion_hash
         and (${meaningOf('p')}) is distinct from (${meaningOf('s')})
       returning p.promotion_key
     )
     update catalog.product_current c set next_turn = '-infinity'
     from renewed join catalog.product_promotion carried using (promotion_key)
     where carried.valid_to is null and c.product_key = carried.product_key`,
    [runId],
  );
}

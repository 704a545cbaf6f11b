import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Products whose row in `product_current`, which the last night is read from, is not what the open rows of their histories say. */
export const differingCurrentRows = `
  select p.product_key, p.region, p.product_id
  from catalog.product p
  left join catalog.product_current c on c.product_key = p.product_key
  left join catalog.price_history price on price.product_key = p.product_key and price.valid_to is null
  left join catalog.availability_history state on state.product_key = p.product_key and state.valid_to is null
  left join catalog.offer_history offer on offer.product_key = p.product_key and offer.valid_to is null
  where (c.price_minor, c.unit_price, c.unit_of_measure, c.availability, c.loyalty_price_minor, c.is_on_promotion)
    is distinct from (price.price_minor, price.unit_price, price.unit_of_measure, state.availability,
      offer.loyalty_price_minor, offer.product_key is not null)`;

/** True when the region's last night says the same as its histories. */
export async function isCurrent(sql: Askable, region: string): Promise<boolean> {
  const rows = await rowsOf(sql, `select from (${differingCurrentRows}) as d where d.region = $1 limit 1`, [region]);
  return rows.length === 0;
}

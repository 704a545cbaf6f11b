import type { Askable } from '../db/client.ts';
import type { Step } from './step.ts';

const values = [
  'price_minor',
  'loyalty_price_minor',
  'availability',
  'is_on_promotion',
  'unit_price',
  'unit_of_measure',
];
const valuesOf = (alias: string) => values.map((column) => `${alias}.${column}`).join(', ');

/** SQL: what the histories of some products say now. */
const openRows = (products: string) => `
  select a.product_key, price.price_minor, o.loyalty_price_minor, a.availability, o.product_key is not null as is_on_promotion,
    price.unit_price, price.unit_of_measure
  from (${products}) as chosen
  join catalog.availability_history a on a.product_key = chosen.product_key and a.valid_to is null
  left join catalog.price_history price on price.product_key = chosen.product_key and price.valid_to is null
  left join catalog.offer_history o on o.product_key = chosen.product_key and o.valid_to is null`;

const update = (products: string) => `
  update catalog.product_current c
  set ${values.map((column) => `${column} = now.${column}`).join(', ')}
  from (${openRows(products)}) as now
  where c.product_key = now.product_key and (${valuesOf('c')}) is distinct from (${valuesOf('now')})`;

/** Products of which this publication has changed the price, the offer or the availability; the last of the steps. */
export const productCurrent: Step = {
  name: 'product_current',
  statements: [
    `insert into catalog.product_current (product_key, ${values.join(', ')})
     select w.product_key, w.price_minor, offer.loyalty_price_minor,
       case when w.is_for_sale then 'available' else 'unavailable' end::catalog.availability, offer.product_key is not null,
       w.unit_price, w.unit_of_measure
     from winner w left join offer on offer.product_key = w.product_key
     where w.is_new
     order by w.product_key`,
    `create temporary table touched on commit drop as
     select product_key from winner where not is_new
     union select product_key from dated_offer
     union select product_key from availability_change`,
    'analyze touched',
    update('select product_key from touched'),
  ],
};

/** Brings `product_current` to what the histories say of some products (SQL: product_key), whoever wrote them. */
export async function renewCurrent(sql: Askable, products: string): Promise<void> {
  await sql.query(update(products));
  await sql.query(
    `insert into catalog.product_current (product_key, ${values.join(', ')})
     select now.* from (${openRows(products)}) as now
     where not exists (select from catalog.product_current c where c.product_key = now.product_key)
     order by now.product_key`,
  );
}

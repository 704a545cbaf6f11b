import type { Step } from './step.ts';

/** A row a price (or unit price) that changed; an equal number in another notation is no change. */
export const priceHistory: Step = {
  name: 'price_history',
  statements: [
    `with closed as (
       update catalog.price_history h
       set valid_to = night.observed_at
       from winner w cross join night
       where not w.is_new and h.product_key = w.product_key and h.valid_to is null
         and (h.price_minor, h.unit_price, h.unit_of_measure) is distinct from (w.price_minor, w.unit_price, w.unit_of_measure)
       returning h.product_key
     )
     insert into catalog.price_history (product_key, price_minor, valid_from, unit_price, unit_of_measure)
     select w.product_key, w.price_minor, night.observed_at, w.unit_price, w.unit_of_measure
     from winner w cross join night
     where w.is_new or w.product_key in (select product_key from closed)
     order by w.product_key`,
  ],
};

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
       returning w.product_key, w.price_minor, w.unit_price, w.unit_of_measure
     )
     insert into catalog.price_history (product_key, price_minor, valid_from, unit_price, unit_of_measure)
     select opened.product_key, opened.price_minor, night.observed_at, opened.unit_price, opened.unit_of_measure
     from (
       select * from closed
       union all
       select product_key, price_minor, unit_price, unit_of_measure from winner where is_new
     ) as opened
     cross join night
     order by opened.product_key`,
  ],
};

import { blockFrom, defineCheck } from './define-check.ts';

/** SQL: price and unit price moved apart by more than rounding and changed packs explain. */
const contradicts = `(price_ratio / unit_ratio not between 0.4 and 2.5)`;

/**
 * Finds prices that changed without their unit price, or the reverse, although measure and title (which names the pack)
 * stayed the same: one of them was misread.
 */
export const unitPrice = defineCheck({
  name: 'unit-price',
  sql: `
    select (count(*) filter (where ${contradicts}))::int as found, count(*)::int as total,
           (array_agg(product_id order by product_id) filter (where ${contradicts}))[1:5] as samples
    from (
      select w.product_id, w.price_minor::numeric / h.price_minor as price_ratio,
        w.unit_price / h.unit_price as unit_ratio
      from winner w
      join former h using (product_key)
      where h.title = w.title and h.unit_of_measure = w.unit_of_measure
        and w.price_minor > 0 and h.price_minor > 0 and w.unit_price > 0 and h.unit_price > 0
        and (w.price_minor, w.unit_price) is distinct from (h.price_minor, h.unit_price)
    ) as moved`,
  sentence: ({ found, total }) => `${found} of ${total} prices that changed contradict their unit price`,
  severity: blockFrom(0.3, 20),
});

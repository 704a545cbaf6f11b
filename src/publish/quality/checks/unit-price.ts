import { blockFrom, defineCheck } from './define-check.ts';

/** So far may a price and its unit price move apart: rounding, and packs that changed their size. */
const contradicts = `(price_ratio / unit_ratio not between 0.4 and 2.5)`;

/**
 * Price and unit price move together, as long as the measure and the title (which names the pack) stay: where one of
 * them moves alone, one of the two was misread.
 */
export const unitPrice = defineCheck({
  name: 'unit-price',
  sql: `
    select (count(*) filter (where ${contradicts}))::int as found, count(*)::int as total,
           (array_agg(product_id order by product_id) filter (where ${contradicts}))[1:5] as samples
    from (
      select w.product_id, w.price_minor::numeric / h.price_minor as price_ratio, w.unit_price / h.unit_price as unit_ratio
      from winner w
      join former h using (product_key)
      where h.title = w.title and h.unit_of_measure = w.unit_of_measure
        and w.price_minor > 0 and h.price_minor > 0 and w.unit_price > 0 and h.unit_price > 0
        and (w.price_minor, w.unit_price) is distinct from (h.price_minor, h.unit_price)
    ) as moved`,
  sentence: ({ found, total }) => `${found} of ${total} prices that changed contradict their unit price`,
  severity: blockFrom(0.3, 20),
});

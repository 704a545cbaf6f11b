import { blockFrom, defineCheck } from './define-check.ts';

/** Smaller than for other checks, because prices hardly ever jump like this by themselves. */
const shareOfSeen = 0.005;

/** bigint, because 80 times the highest price exceeds an integer. */
const isJump = `(w.price_minor >= 80::bigint * h.price_minor or h.price_minor >= 80::bigint * w.price_minor)`;

/** Finds pence read as pounds and pounds read as pence: prices about 100 times their former value, or a hundredth. */
export const priceJump = defineCheck({
  name: 'price-jump',
  sql: `
    select count(*) filter (where ${isJump})::int as found,
           count(*)::int as total,
           (array_agg(w.product_id order by w.product_id) filter (where ${isJump}))[1:5] as samples
    from winner w
    join former h using (product_key)
    where w.price_minor > 0 and h.price_minor > 0`,
  sentence: ({ found, total }) =>
    `${found} of ${total} changed products cost about a hundred times as much or as little as before`,
  severity: blockFrom(0.02, 5, shareOfSeen),
});

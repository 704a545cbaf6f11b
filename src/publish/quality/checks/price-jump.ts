import { blockFrom, defineCheck } from './define-check.ts';

/** Hardly a price does that by itself, so that far fewer than in other checks are no chance. */
const shareOfSeen = 0.005;

/** Eighty of the highest price are more than an integer holds. */
const isJump = `(w.price_minor >= 80::bigint * h.price_minor or h.price_minor >= 80::bigint * w.price_minor)`;

/**
 * Pence read as pounds, or pounds as pence: prices a hundred times what they were, or a hundredth, a fifth either way.
 */
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

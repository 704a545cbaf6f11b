import { defineCheck, noticeableShare } from './define-check.ts';

/**
 * Groceries cost a few pounds or euros (median of the real data: 2 to 4): far from it, an amount was read in the wrong
 * unit.
 */
const plausibleMinor = { least: 20, most: 4_000 };
/** Fewer say nothing about a catalogue. */
const fewestProducts = 50;

/** A first night has nothing to be compared with: is its middle price one that groceries have? */
export const priceLevel = defineCheck({
  name: 'price-level',
  sql: `
    select count(*)::int as total, count(*)::int as found, null::text[] as samples,
           percentile_disc(0.5) within group (order by price_minor) as median
    from winner where price_minor is not null and is_new`,
  sentence: ({ median, total }) => `the middle price of ${total} new products is ${(Number(median) / 100).toFixed(2)}`,
  severity({ total, median, seen }) {
    const isPlausible = Number(median) >= plausibleMinor.least && Number(median) <= plausibleMinor.most;
    if (total < fewestProducts || isPlausible) return null;
    // A later night may bring garden furniture, and nothing else that is new.
    return total >= noticeableShare * seen ? 'block' : 'warn';
  },
});

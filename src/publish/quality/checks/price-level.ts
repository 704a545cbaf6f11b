import { defineCheck, noticeableShare } from './define-check.ts';

/**
 * Plausible range of the median price: groceries cost a few pounds or euros (real median: 2 to 4). Outside it, prices
 * were read in the wrong unit.
 */
const plausibleMinor = { least: 20, most: 4_000 };
/** Minimum number of products for a meaningful median. */
const fewestProducts = 50;

/** Checks the median price of new products, for a first night that has nothing to compare with. */
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
    // A later night may add only expensive products, such as garden furniture.
    return total >= noticeableShare * seen ? 'block' : 'warn';
  },
});

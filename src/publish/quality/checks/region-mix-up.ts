import { blockFrom, defineCheck } from './define-check.ts';

/** Smaller than for other checks: even a few pages with another region's prices must not be merged. */
const shareOfSeen = 0.005;

/**
 * Finds products whose title, price and unit price equal those of another region, and so carry the wrong currency.
 * Regions share barcodes and titles, but not prices.
 */
export const regionMixUp = defineCheck({
  name: 'region-mix-up',
  sql: `
    select count(h.product_key)::int as found, count(*)::int as total,
           (array_agg(w.product_id order by w.product_id) filter (where h.product_key is not null))[1:5] as samples
    from winner w
    cross join night
    join catalog.region other on other.region <> night.region
    left join catalog.product p on p.region = other.region and p.product_id = w.product_id and p.title = w.title
    left join catalog.product_current h on h.product_key = p.product_key
      and h.price_minor = w.price_minor and h.unit_price is not distinct from w.unit_price
    where w.price_minor is not null
      and exists (select from ops.published_run r where r.region <> (select region from night))`,
  sentence: ({ found, total }) =>
    `${found} of ${total} new or changed products are listed in another region under the same id, title and price`,
  severity: blockFrom(0.2, 20, shareOfSeen),
});

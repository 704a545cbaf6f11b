import { defineCheck } from './define-check.ts';

/** Smaller regions are trials. */
const fewest = 50;

/** Finds a region whose payloads name no product's category, so that only the crawled departments are known. */
export const noCategories = defineCheck({
  name: 'no-categories',
  sql: `
    select listed.products as found, listed.products as total, null::text[] as samples
    from night
    cross join (
      select count(*)::int as products
      from (select product_key from winner union select product_key from unchanged_observation) as seen
    ) as listed
    where not exists (select from winner where leaf_no is not null or leaf_id is not null)
      and not exists (select from stage.detail d where d.run_id = night.run_id and d.leaf_id is not null)
      and not exists (
        select from catalog.product_category pc join catalog.product p using (product_key)
        where p.region = night.region and pc.valid_to is null and pc.source <> 'listing')`,
  sentence: ({ total }) =>
    `neither pages nor details name a category for any of ${total} products: nothing below departments can be grouped`,
  severity: ({ total }) => (total < fewest ? null : 'warn'),
});

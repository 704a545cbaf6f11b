import { defineCheck } from './define-check.ts';

/** Promotions end and begin in waves, so many may end in one night, but hardly nearly all while none begins. */
const blockingShare = 0.8;
const fewest = 20;

/** Finds products that lost their promotions while none has a new one: the field was renamed or moved. */
export const promotionsGone = defineCheck({
  name: 'promotions-gone',
  sql: `
    select count(*)::int as found, null::text[] as samples,
           (select count(*) from winner where promotion_hashes is not null)::int as begun,
           case when count(*) < ${fewest} then 0 else (
             select count(distinct pp.product_key)
             from catalog.product_promotion pp
             join catalog.product p using (product_key)
             where pp.valid_to is null and p.region = (select region from night))
           end::int as total
    from winner w
    where not w.is_new and w.promotion_hashes is null
      and exists (
        select from catalog.product_promotion pp
        where pp.product_key = w.product_key and pp.valid_to is null)`,
  sentence: ({ found, total }) => `${found} of ${total} products on promotion lost theirs, and none has a new one`,
  severity({ found, total, begun }) {
    return found >= fewest && begun === 0 && found >= blockingShare * total ? 'block' : null;
  },
});

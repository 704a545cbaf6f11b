import { defineCheck } from './define-check.ts';

/** Promotions end in waves on their stated days; hardly nearly all end before, while none begins. */
const blockingShare = 0.8;
const fewest = 20;

/** Finds products that lost promotions still due while none has a new one: the field was renamed or moved. */
export const promotionsGone = defineCheck({
  name: 'promotions-gone',
  sql: `
    with due as not materialized (
      select pp.product_key
      from night, catalog.product_promotion pp
      join catalog.promotion o using (promotion_key)
      where pp.valid_to is null and o.region = night.region
        and (o.ends_at is null or o.ends_at > night.observed_at))
    select count(*)::int as found, null::text[] as samples,
           (select count(*) from winner where promotion_hashes is not null)::int as begun,
           case when count(*) < ${fewest} then 0 else (select count(distinct product_key) from due) end::int as total
    from winner w
    where not w.is_new and w.promotion_hashes is null
      and exists (select from due where due.product_key = w.product_key)`,
  sentence: ({ found, total }) =>
    `${found} of ${total} products lost promotions that have not ended, and none has a new one`,
  severity({ found, total, begun }) {
    return found >= fewest && begun === 0 && found >= blockingShare * total ? 'block' : null;
  },
});

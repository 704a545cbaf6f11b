import { saysForSale, saysGone } from './own-page.ts';
import type { Step } from './step.ts';

/**
 * What a certified run says of products it did not see, from the temporary tables `unseen_product` and `own_page`: absent, and delisted
 * when the certified nights in a row without it are `delist_after` and, where that is wanted, its own page says so, too. Of
 * products that nothing proves gone (`unconfirmed`) it says nothing, and in categories in doubt (`doubted`) only of those
 * whose own page says that they are gone: a record that is never understood would keep them for ever.
 */
export const absence: readonly string[] = [
  `create temporary table in_doubt on commit drop as
   select distinct below.category_key
   from night cross join doubted
   join catalog.category top on top.region = night.region and top.category_id = doubted.category_id
   join catalog.category_ancestor below on below.ancestor_key = top.category_key`,
  `insert into availability_change
   select u.product_key, said.availability::catalog.availability
   from night cross join unseen_product u
   cross join lateral (
     select u.availability in ('available', 'unavailable') as is_listed, coalesce(h.nights, 0) + 1 >= night.delist_after as is_due
     from (
       select count(distinct r.snapshot_date) as nights from ops.run r
       where u.availability = 'absent' and r.region = night.region and r.status = 'published' and r.verdict <> 'partial'
         and r.observed_at >= u.valid_from and r.snapshot_date < night.snapshot_date) as h
   ) as nights
   cross join lateral (
     select exists (select from own_page page where page.product_id = u.product_id and page.says_gone) as is_gone
   ) as by_its_page
   cross join lateral (
     select case
       when nights.is_due and (not night.is_delisting_confirmed or by_its_page.is_gone) then 'delisted'
       when nights.is_listed then 'absent'
     end as availability
   ) as said
   where said.availability is not null
     and not exists (select from unconfirmed kept where kept.product_id = u.product_id)
     and (by_its_page.is_gone or not exists (
       select from catalog.product_category pc join in_doubt using (category_key)
       where pc.product_key = u.product_key and pc.valid_to is null))`,
];

/** Closes and opens what `availability_change` says. */
export const putAvailability: readonly string[] = [
  'analyze availability_change',
  `update catalog.availability_history h
   set valid_to = night.observed_at
   from availability_change c cross join night
   where h.product_key = c.product_key and h.valid_to is null`,
  `insert into catalog.availability_history (product_key, availability, valid_from)
   select c.product_key, c.availability, night.observed_at
   from availability_change c cross join night
   order by c.product_key`,
];

/**
 * Listed products are available or unavailable. Only a certified run says more: a listed product it did not see is
 * absent or delisted (`absence`), unless its own page sells it still. Seen again, it reopens.
 */
export const availabilityHistory: Step = {
  name: 'availability_history',
  statements: [
    `create temporary table availability_change on commit drop as
     select w.product_key, state.availability
     from winner w
     cross join lateral (select case when w.is_for_sale then 'available' else 'unavailable' end::catalog.availability) as state (availability)
     left join catalog.availability_history h on not w.is_new and h.product_key = w.product_key and h.valid_to is null
     where h.availability is distinct from state.availability`,
    // Came back exactly as it was last listed.
    `insert into availability_change
     select distinct p.product_key, case when p.is_for_sale then 'available' else 'unavailable' end::catalog.availability
     from unchanged_observation s
     join catalog.availability_history h on h.product_key = s.product_key and h.valid_to is null and h.availability in ('absent', 'delisted')
     join catalog.product p on p.product_key = s.product_key
     where not exists (select from availability_change c where c.product_key = s.product_key)`,
    `create temporary table own_page on commit drop as
     select product_id, ${saysGone} as says_gone, ${saysForSale} as says_for_sale
     from night join ops.detail_fetch d using (run_id) left join stage.detail s using (run_id, product_id)`,
    'analyze own_page',
    // Hardly a product is unseen: which region it belongs to is asked last.
    `create temporary table unseen_product on commit drop as
     with unseen as materialized (
       select h.product_key, h.availability, h.valid_from
       from catalog.availability_history h
       where (select is_certified from night) and h.valid_to is null and h.availability <> 'delisted'
         and not exists (select from unchanged_observation s where s.product_key = h.product_key)
         and not exists (select from stage.listing s where s.run_id = (select run_id from night) and s.product_key = h.product_key)
     )
     select u.product_key, p.product_id, u.availability, u.valid_from
     from unseen u cross join night
     join catalog.product p on p.product_key = u.product_key and p.region = night.region
     where not exists (select from own_page page where page.product_id = p.product_id and page.says_for_sale)`,
    ...absence,
    ...putAvailability,
  ],
};

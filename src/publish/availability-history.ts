import type { Step } from './step.ts';

/**
 * Listed products are available or unavailable. Only a certified run says more: a listed product it did not see is
 * absent, and delisted when the certified nights in a row without it are `delist_after`. Seen again, it reopens.
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
     from night
     join ops.category_page page on page.run_id = night.run_id
     cross join lateral unnest(page.seen_keys) as seen (product_key)
     join catalog.availability_history h on h.product_key = seen.product_key and h.valid_to is null and h.availability in ('absent', 'delisted')
     join catalog.product p on p.product_key = seen.product_key
     where not exists (select from availability_change c where c.product_key = seen.product_key)`,
    `insert into availability_change
     select h.product_key, case
         when h.availability in ('available', 'unavailable') then 'absent'
         else 'delisted'
       end::catalog.availability
     from night
     join catalog.product p on p.region = night.region
     join catalog.availability_history h on h.product_key = p.product_key and h.valid_to is null
     where night.is_certified
       and (h.availability in ('available', 'unavailable')
            or h.availability = 'absent' and 1 + (
              select count(distinct r.snapshot_date) from ops.run r
              where r.region = night.region and r.status = 'published' and r.verdict <> 'partial'
                and r.observed_at >= h.valid_from and r.snapshot_date < night.snapshot_date
            ) >= night.delist_after)
       and not exists (
         select from ops.category_page page cross join lateral unnest(page.seen_keys) as seen (product_key)
         where page.run_id = night.run_id and seen.product_key = h.product_key)
       and not exists (select from stage.listing s where s.run_id = night.run_id and s.product_key = h.product_key)`,
    'analyze availability_change',
    `update catalog.availability_history h
     set valid_to = night.observed_at
     from availability_change c cross join night
     where h.product_key = c.product_key and h.valid_to is null`,
    `insert into catalog.availability_history (product_key, availability, valid_from)
     select c.product_key, c.availability, night.observed_at
     from availability_change c cross join night
     order by c.product_key`,
  ],
};

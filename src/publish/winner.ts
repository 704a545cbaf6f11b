import type { Step } from './step.ts';

/**
 * One observation of each product that is new or changed: the first in order of category id, then page. The order has
 * nothing to do with arrival, and hardly changes from night to night, so a product that two categories show
 * differently does not flip to and fro. An observation of the catalogue's own version competes like any other.
 */
export const winner: Step = {
  name: 'winner',
  statements: [
    // Unnested in the select list: as a join, the planner would remember each page's array by its whole content.
    `create temporary table unchanged_observation on commit drop as
     select unnest(page.seen_keys) as product_key, page.category_no, page.page_no
     from ops.category_page page
     where page.run_id = (select run_id from night)`,
    'analyze unchanged_observation (product_key)',
    `create temporary table winner on commit drop as
     select coalesce(known_key, reserved.product_key, nextval('catalog.product_product_key_seq'))::int as product_key,
            known_key is null as is_new, product_id, listing_hash, tpnb, gtin, title, brand, image_url, is_for_sale, price_minor,
            unit_price, unit_of_measure, leaf_no, leaf_id, promotion_hashes, category_no, page_no
     from (
       select distinct on (product_id) product_key as known_key, *
       from stage.listing
       where run_id = (select run_id from night)
       order by product_id, category_no, page_no, reading
     ) as first_observation
     left join (
       select product_id, product_key from stage.reserved_key where region = (select region from night)
     ) as reserved using (product_id)`,
    // The staged forms that lost against another staged form.
    `insert into ops.conflict (run_id, product_id, forms, won_by_category_no, won_by_page_no, listing_hash)
     select night.run_id, w.product_id, 1 + count(distinct s.listing_hash), w.category_no, w.page_no, w.listing_hash
     from night cross join winner w
     join stage.listing s on s.run_id = night.run_id and s.product_id = w.product_id and s.listing_hash <> w.listing_hash
     group by night.run_id, w.product_id, w.category_no, w.page_no, w.listing_hash
     on conflict do nothing`,
    // Changed products that an earlier page showed unchanged: the catalogue's version wins.
    `create temporary table unchanged_winner on commit drop as
     select distinct on (w.product_key) w.product_key, w.product_id, s.category_no, s.page_no
     from unchanged_observation s
     join winner w on w.product_key = s.product_key and not w.is_new
     order by w.product_key, s.category_no, s.page_no`,
    `insert into ops.conflict (run_id, product_id, forms, won_by_category_no, won_by_page_no, listing_hash)
     select night.run_id, w.product_id, 2,
            case when is_first then u.category_no else w.category_no end, case when is_first then u.page_no else w.page_no end,
            case when is_first then p.listing_hash else w.listing_hash end
     from night cross join unchanged_winner u
     join winner w using (product_key)
     join catalog.product p using (product_key)
     cross join lateral (select (u.category_no, u.page_no) < (w.category_no, w.page_no)) as o (is_first)
     on conflict (run_id, product_id) do update
       set forms = conflict.forms + 1, won_by_category_no = excluded.won_by_category_no,
           won_by_page_no = excluded.won_by_page_no, listing_hash = excluded.listing_hash`,
    `delete from winner w using unchanged_winner u
     where w.product_key = u.product_key and (u.category_no, u.page_no) < (w.category_no, w.page_no)`,
    'create unique index on winner (product_key)',
    // Of what joins are planned by; the texts would cost more than the rest.
    'analyze winner (product_key, is_new, leaf_no, leaf_id)',
  ],
};

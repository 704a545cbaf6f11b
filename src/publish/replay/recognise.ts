import type { Database } from '../../db/client.ts';
import { unknownHash } from './rewind.ts';

/**
 * Replaces staged records that equal the shadow's catalogue by keys on the page, as in the original crawl. Former
 * entry hashes are not stored, so they are learned here by comparing the values.
 */
export async function recogniseUnchanged(shadow: Database, runId: number): Promise<void> {
  await shadow.tx(async (tx) => {
    await tx.query(`set local work_mem = '64MB'`);
    await tx.query(collectUnchanged, [runId]);
    await tx.query('analyze unchanged');
    await tx.query(learnHashes);
    await tx.query(returnToPages, [runId]);
    await tx.query(dropFromStage, [runId]);
  });
}

const collectUnchanged = `
  create temporary table unchanged on commit drop as
  select s.category_no, s.page_no, s.reading, s.position, s.product_key, s.entry_hash, s.is_extra
  from stage.product s
  join catalog.product p on p.product_key = s.product_key and p.entry_hash = ${unknownHash}
  join catalog.product_current h on h.product_key = p.product_key
  left join catalog.shown_price shown on shown.product_key = p.product_key and shown.valid_to is null
  cross join lateral (
    select shown.price_minor, shown.unit_price, shown.unit_of_measure where shown.product_key is not null
    union all
    select h.price_minor, h.unit_price, h.unit_of_measure where shown.product_key is null
  ) as price
  left join stage.category staged on staged.run_id = s.run_id and staged.category_no = s.leaf_no
  cross join lateral (
    select max(c.category_id) as category_id
    from catalog.product_category pc join catalog.category c using (category_key)
    where pc.product_key = p.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
  ) as leaf
  cross join lateral (
    select array_agg(o.promotion_hash order by o.promotion_hash) as hashes
    from catalog.product_promotion pp join catalog.promotion o using (promotion_key)
    where pp.product_key = p.product_key and pp.valid_to is null
  ) as offer
  where s.run_id = $1
    and (s.title, s.brand, s.tpnb, s.gtin, s.image_url, s.seller, s.catch_weight_grams, s.charges, s.deposit_minor,
      s.is_for_sale)
      is not distinct from (p.title, p.brand, p.tpnb, case when not p.has_gtin_of_details then p.gtin end, p.image_url,
        p.seller, p.catch_weight_grams, p.charges, p.deposit_minor, p.is_for_sale)
    and (s.price_minor, s.unit_price, s.unit_of_measure)
      is not distinct from (price.price_minor, price.unit_price, price.unit_of_measure)
    and coalesce(staged.category_id, s.leaf_id) is not distinct from leaf.category_id
    and s.promotion_hashes is not distinct from offer.hashes`;

const learnHashes = `
  update catalog.product p set entry_hash = u.entry_hash
  from (select distinct on (product_key) product_key, entry_hash from unchanged order by product_key) as u
  where p.product_key = u.product_key`;

const returnToPages = `
  update ops.category_page p
  set seen_keys = array(select key from unnest(p.seen_keys || u.keys) as key order by key),
    extra_keys = array(select key from unnest(p.extra_keys || u.extra) as key order by key)
  from (
    select category_no, page_no, reading, array_agg(product_key) as keys,
      coalesce(array_agg(product_key) filter (where is_extra), '{}') as extra
    from unchanged group by category_no, page_no, reading
  ) as u
  where p.run_id = $1 and (p.category_no, p.page_no, p.reading) = (u.category_no, u.page_no, u.reading)`;

const dropFromStage = `
  delete from stage.product s using unchanged u
  where s.run_id = $1
    and (s.category_no, s.page_no, s.reading, s.position) = (u.category_no, u.page_no, u.reading, u.position)`;

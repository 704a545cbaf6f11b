import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { saysForSale, saysGone, saysNeither } from '../../own-page.ts';
import { productRef, tableAnew } from './observations.ts';

/** Listed products of a region that no page of the run showed, grouped by the walked category they belong to. */
export interface UnseenBelow {
  /** Null: they belong to a category that the run did not walk, or to none. */
  readonly rootNo: number | null;
  /** Their top-level category, if the run did not walk it and last night's taxonomy had it. */
  readonly goneCategoryId: string | null;
  readonly products: number;
  /** Products whose own page answered, and those of them still for sale. */
  readonly asked: number;
  readonly forSale: number;
  /** Answered products that are neither for sale nor gone, and that the previous night did not report as well. */
  readonly unclear: number;
  /**
   * If any product is unclear: it and all other products that are not proven gone and that the previous night did not
   * report as well.
   */
  readonly unconfirmed: readonly string[];
  /** A few products to request if none was yet, each with its deepest category. */
  readonly worthAsking: readonly UnseenProduct[];
  /** Categories of the products still for sale. */
  readonly forSaleIn: readonly string[];
}

export interface UnseenProduct {
  readonly productId: string;
  readonly categoryId: string | null;
}

/** Own pages requested per category: enough to tell removed products from wrong pages. */
const asksPerCategory = 3;

/**
 * Collects the listed products that no page of the run showed, in two temporary tables. `last_certified`: the last
 * certified run before this one (if none, the last published one). `unseen`: one row per product, with its first
 * breadcrumb category. `was_listed`: that run listed it; products that only an uncertified run listed may never have
 * existed. `unseenKeys`: their keys, if they are known.
 */
export async function collectUnseen(tx: Queryable, runId: number, unseenKeys?: readonly number[]): Promise<void> {
  const lastCertified = `
     select earlier.products_listed, earlier.observed_at, r.snapshot_date - earlier.snapshot_date as nights_ago
     from ops.run r join ops.published_run earlier on earlier.region = r.region and earlier.observed_at < r.observed_at
     where r.run_id = ${runId}
     order by earlier.verdict <> 'partial' desc, earlier.observed_at desc limit 1`;
  const unseen = `
     select distinct on (p.product_key) p.product_key, p.product_id, missing.availability, pc.category_key,
            missing.availability in ('available', 'unavailable')
              and exists (select from last_certified where p.first_seen_at <= last_certified.observed_at) as was_listed
     from missing
     join catalog.product p using (product_key)
     left join catalog.product_category pc
       on pc.product_key = p.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
     where p.region = (select region from ops.run where run_id = ${runId})
     order by p.product_key, pc.category_key`;
  // Usually few products are missing. Once the planner knows how many, it looks them up instead of reading the whole
  // catalogue.
  await tx.query('drop table if exists pg_temp.missing');
  if (unseenKeys) await tx.query(collectKnown, [unseenKeys]);
  else await tx.query(collectMissing, [runId]);
  await tx.query(`
    ${tableAnew('last_certified', lastCertified)}
    analyze missing;
    set local enable_nestloop = on;
    ${tableAnew('unseen', unseen)}
    set local enable_nestloop = off;
    analyze unseen`);
}

const collectMissing = `
  create temporary table missing on commit drop as
  with seen as (
    select unnest(seen_keys) as product_key from ops.category_page where run_id = $1
    union all
    select product_key from stage.product where run_id = $1
  )
  select h.product_key, h.availability
  from catalog.product_current h
  where h.availability <> 'delisted' and not exists (select from seen where seen.product_key = h.product_key)`;

const collectKnown = `
  create temporary table missing on commit drop as
  select product_key, availability from catalog.product_current
  where availability <> 'delisted' and product_key = any($1::int[])`;

/** Keys of the unseen products. Needs the tables of `collectUnseen`. */
export async function readUnseenKeys(tx: Queryable): Promise<readonly number[]> {
  const [row] = await rowsOf<{ keys: number[] }>(tx, 'select array(select product_key from unseen) as keys');
  return row!.keys;
}

/** Unseen products by category, largest groups first. Needs the tables of `collectUnseen`. */
export async function readUnseen(tx: Queryable, runId: number, pagesMd5: string | null): Promise<UnseenBelow[]> {
  return rowsOf<UnseenBelow>(tx, selectUnseen, [runId, asksPerCategory, pagesMd5]);
}

/** Products listed by the last certified run and its age in nights, and those of them that this run did not see. */
interface Overview {
  readonly listedBefore: number;
  readonly unseen: number;
  /** At least 1. */
  readonly nightsSinceCertified: number;
}

/** Needs the tables of `collectUnseen`. */
export async function readOverview(tx: Queryable): Promise<Overview> {
  const [overview] = await rowsOf<Overview>(
    tx,
    `select (select count(*)::int from unseen where was_listed) as unseen,
            coalesce((select products_listed from last_certified), 0) as "listedBefore",
            greatest(1, (select nights_ago from last_certified)) as "nightsSinceCertified"`,
  );
  return overview!;
}

/** Needs the tables of `collectObservations`. */
export async function countDistinctProducts(tx: Queryable): Promise<number> {
  const [row] = await rowsOf<{ products: number }>(
    tx,
    'select count(*)::int as products from (select ref from observation group by ref) as seen',
  );
  return row!.products;
}

/**
 * Products seen only outside their breadcrumb, by the walked category that should have listed them: proof that its
 * listing is incomplete, whatever its total.
 */
export async function readMisplaced(tx: Queryable, runId: number): Promise<Map<number, number>> {
  const rows = await rowsOf<{ rootNo: number; products: number }>(tx, selectMisplaced, [runId]);
  return new Map(rows.map(({ rootNo, products }) => [rootNo, products]));
}

/** Deepest breadcrumb categories that the run's taxonomy lacks; only from new or changed products. */
export async function readCategoriesOutsideTaxonomy(
  tx: Queryable,
  runId: number,
): Promise<{ readonly categoryId: string; readonly products: number }[]> {
  return rowsOf(
    tx,
    `select leaf_id as "categoryId", count(distinct product_id)::int as products
     from stage.product where run_id = $1 and leaf_id is not null group by leaf_id order by leaf_id`,
    [runId],
  );
}

/** Top-level categories in the last certified run's taxonomy that are missing from this run's. */
export async function readCategoriesGone(tx: Queryable, runId: number): Promise<string[]> {
  const rows = await rowsOf<{ categoryId: string }>(
    tx,
    `select c.category_id as "categoryId"
     from ops.run r join catalog.category c using (region)
     where r.run_id = $1 and c.parent_key is null and c.last_seen_at is null and c.label <> 'not in taxonomy'
       and not exists (select from stage.category s where s.run_id = r.run_id and s.category_id = c.category_id)
     order by c.category_id`,
    [runId],
  );
  return rows.map(({ categoryId }) => categoryId);
}

/** Products seen by the region's last seven certified runs (test/house/faults-index.md, 67), newest first. */
export async function readCertifiedCounts(tx: Queryable, runId: number): Promise<number[]> {
  const rows = await rowsOf<{ products: number }>(
    tx,
    `select (c.evidence ->> 'distinctProducts')::int as products
     from ops.run r join ops.certified_run earlier on earlier.region = r.region and earlier.observed_at < r.observed_at
     join ops.certificate c on c.run_id = earlier.run_id
     where r.run_id = $1
     order by earlier.observed_at desc limit 7`,
    [runId],
  );
  return rows.map(({ products }) => products);
}

/** SQL: climbs from categories to the first one that the run walked, or to the top. */
const climbFrom = (starts: string) => `
  climb (start_key, category_key, parent_key, category_id, label, walked_no) as (
    select c.category_key, c.category_key, c.parent_key, c.category_id, c.label, walked.root_no
    from (${starts}) as start (category_key)
    join catalog.category c using (category_key)
    left join ops.category_crawl walked
      on walked.run_id = $1 and walked.category_id = c.category_id and walked.root_no = walked.category_no
    union all
    select climb.start_key, c.category_key, c.parent_key, c.category_id, c.label, walked.root_no
    from climb
    join catalog.category c on c.category_key = climb.parent_key
    left join ops.category_crawl walked
      on walked.run_id = $1 and walked.category_id = c.category_id and walked.root_no = walked.category_no
    where climb.walked_no is null
  ), home as (
    select start_key, walked_no, case when walked_no is null then category_id end as gone_category_id, label
    from climb where walked_no is not null or parent_key is null
  )`;

const selectUnseen = `
  with recursive ${climbFrom('select distinct category_key from unseen')},
  agreed as (
    select jsonb_array_elements_text(before.unconfirmed -> 'productIds') as product_id
    from ops.run r
    join lateral (
      select c.evidence -> 'unconfirmed' as unconfirmed
      from ops.published_run earlier join ops.certificate c using (run_id)
      where earlier.region = r.region and earlier.snapshot_date < r.snapshot_date
      order by earlier.observed_at desc limit 1) as before
        on before.unconfirmed ->> 'pagesMd5' is distinct from $3
    where r.run_id = $1
  ), placed as (
    select distinct on (u.product_key) u.product_key, u.product_id, u.availability, c.category_id, home.walked_no,
           case when home.label <> 'not in taxonomy' then home.gone_category_id end as gone_category_id,
           d.status is not null as is_asked, coalesce(d.status = 'done', false) as is_answered,
           ${saysForSale} as is_for_sale, ${saysNeither} and agreed.product_id is null as is_unclear,
           not ${saysForSale} and not ${saysGone} and agreed.product_id is null as is_unproven
    from unseen u
    left join catalog.category c using (category_key)
    left join home on home.start_key = u.category_key
    left join ops.detail_fetch d on d.run_id = $1 and d.product_id = u.product_id
    left join stage.detail s on s.run_id = $1 and s.product_id = u.product_id
    left join agreed on agreed.product_id = u.product_id
    order by u.product_key
  ), ranked as (
    select placed.*, row_number() over (
      partition by walked_no, gone_category_id, is_asked order by md5(r.run_id || '/' || product_id)) as rank
    from placed cross join ops.run r
    where r.run_id = $1 and availability in ('available', 'unavailable')
  )
  select walked_no as "rootNo", gone_category_id as "goneCategoryId", count(*)::int as products,
         (count(*) filter (where is_answered))::int as asked, (count(*) filter (where is_for_sale))::int as "forSale",
         (count(*) filter (where is_unclear))::int as unclear,
         case
           when bool_or(is_unclear) then array_agg(product_id order by md5(product_id)) filter (where is_unproven)
           else '{}'
         end as unconfirmed,
         case
           when bool_or(is_asked) then '[]'
           else coalesce(jsonb_agg(jsonb_build_object('productId', product_id, 'categoryId', category_id) order by rank)
           filter (where rank <= $2), '[]') end as "worthAsking",
         coalesce(array_agg(distinct category_id) filter (where is_for_sale), '{}') as "forSaleIn"
  from ranked
  group by walked_no, gone_category_id
  order by count(*) desc, walked_no`;

const selectMisplaced = `
  with recursive candidate as (
    select p.product_key as ref, pc.category_key
    from misplaced join catalog.product p on p.product_key = misplaced.ref
    join catalog.product_category pc
      on pc.product_key = p.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
    where not exists (select from stage.product s where s.run_id = $1 and s.product_key = p.product_key)
  ), ${climbFrom('select distinct category_key from candidate')},
  known as (
    select candidate.ref, home.walked_no as root_no from candidate join home on home.start_key = candidate.category_key
  ), staged as materialized (
    select distinct misplaced.ref, s.leaf_no
    from stage.product s
    join misplaced on misplaced.ref = ${productRef('s.product_key', 's.product_id')}
    where s.run_id = $1 and s.leaf_no is not null
  ), above (leaf_no, category_no) as (
    select distinct leaf_no, leaf_no from staged
    union
    select above.leaf_no, c.parent_no
    from above
    join stage.category c on c.run_id = $1 and c.category_no = above.category_no
    where c.parent_no is not null
  ), fresh as (
    select staged.ref, crawl.root_no
    from staged join above using (leaf_no)
    join ops.category_crawl crawl
      on crawl.run_id = $1 and crawl.category_no = above.category_no and crawl.root_no = crawl.category_no
  )
  select root_no as "rootNo", count(distinct ref)::int as products
  from (select * from known union all select * from fresh) as short
  where root_no is not null and not exists (
    select from observation s join ops.category_crawl c on c.run_id = $1 and c.category_no = s.category_no
    where s.ref = short.ref and c.root_no = short.root_no)
  group by root_no`;

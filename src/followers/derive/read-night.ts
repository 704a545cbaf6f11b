import type { RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { copyBinary, integersOf } from '../../db/copy-binary.ts';
import { rowsOf } from '../../db/rows.ts';
import { type CategoryGroups, createCategoryGroups } from './category-groups.ts';

/** Unknown price. */
export const unknown = -1;

/**
 * Listed products of a region on a night in columns, in the order of product keys: flags as 0 or 1, prices in minor
 * units or `unknown`, the group of `CategoryGroups`.
 */
export type RegionNight = Readonly<
  Record<'productKeys' | 'isAvailable' | 'price' | 'loyaltyPrice' | 'onPromotion' | 'group', Int32Array>
>;

/** Reads a region's products as they were at an instant. */
export async function readNight(
  tx: Transaction,
  region: RegionCode,
  at: Date,
  groups: CategoryGroups,
): Promise<RegionNight> {
  const [columns] = await copyBinary(tx, selectListed, [region, at], (row) => row.map(integersOf));
  const [productKeys, isAvailable, price, loyaltyPrice, onPromotion, leaf] = columns as [
    ...[Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array],
  ];
  const [listings] = await copyBinary(tx, selectExtra, [region, at], (row) => row.map(integersOf));
  const [products, categories] = listings as [Int32Array, Int32Array];
  const extra = new Map<number, number[]>();
  for (const [i, product] of products.entries()) extra.set(product, [...(extra.get(product) ?? []), categories[i]!]);
  const group = leaf.map((category, i) => groups.ofDirect(category, extra.get(productKeys[i]!)));
  return { productKeys, isAvailable, price, loyaltyPrice, onPromotion, group };
}

const isOpen = (spell: string): string =>
  `${spell}.valid_from <= $2 and (${spell}.valid_to is null or ${spell}.valid_to > $2)`;

/** After 60 nights without stock a product counts as departed. Half a day for runs that start earlier than usual. */
const hasStock = `
  listed.availability = 'available' or exists (
    select from catalog.availability_history sold
    where sold.product_key = p.product_key and sold.availability = 'available'
      and sold.valid_from <= $2 and sold.valid_to > $2::timestamptz - interval '59 days 12 hours')`;

const selectListed = `
  select array_agg(product_key), array_agg(is_available), array_agg(price), array_agg(loyalty_price),
    array_agg(on_promotion), array_agg(leaf)
  from (
    select p.product_key, (listed.availability = 'available')::int as is_available,
      coalesce(case when ${hasStock} then price.price_minor end, ${unknown}) as price,
      coalesce(offer.loyalty_price_minor, ${unknown}) as loyalty_price,
      (offer.product_key is not null)::int as on_promotion, coalesce(leaf.leaf_key, 0) as leaf
    from catalog.product p
    join catalog.availability_spell listed on listed.product_key = p.product_key and ${isOpen('listed')}
    left join catalog.price_spell price on price.product_key = p.product_key and ${isOpen('price')}
    left join catalog.offer_spell offer on offer.product_key = p.product_key and ${isOpen('offer')}
    left join catalog.leaf_spell leaf on leaf.product_key = p.product_key and ${isOpen('leaf')}
    where p.region = $1 and listed.availability in ('available', 'unavailable')
    order by p.product_key
  ) as night`;

const selectExtra = `
  select array_agg(product_key), array_agg(category_key)
  from (
    select product_key, category_key
    from catalog.extra_listing x join catalog.product p using (product_key)
    where p.region = $1 and ${isOpen('x')}
    order by product_key, category_key
  ) as night`;

/** The categories of a region with their ancestors. */
export async function readCategoryGroups(tx: Transaction, region: RegionCode): Promise<CategoryGroups> {
  const rows = await rowsOf<{ key: number; ancestors: number[] }>(
    tx,
    'select category_key as key, ancestors from catalog.category where region = $1',
    [region],
  );
  return createCategoryGroups(new Map(rows.map(({ key, ancestors }) => [key, ancestors])));
}

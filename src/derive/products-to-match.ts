import type { Transaction } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';

/** Of all products; where more are touched it is quicker to match all of them again. */
const fewShare = 0.1;

/**
 * Makes the temporary table `product_to_match`: the products of a region that changed, came or went since an instant, and
 * with them all of both regions that a chain of equal keys leads to. What may match depends on nothing outside of such a chain.
 */
export async function collectProductsToMatch(tx: Transaction, region: RegionCode, since: Date | string): Promise<void> {
  await tx.query(
    'create temporary table product_to_match (product_key int primary key, link int not null default 0) on commit drop',
  );
  await tx.query(touched, [region, since]);
  const [share] = await rowsOf<{ isMost: boolean }>(
    tx,
    `select (select count(*) from product_to_match) > ${fewShare} * (select count(*) from derived.match_key) as "isMost"`,
  );
  if (share!.isMost) {
    await tx.query('insert into product_to_match select product_key from derived.match_key on conflict do nothing');
  } else {
    await tx.query('analyze product_to_match');
    // From what the link before has found; all before that has been followed.
    for (let link = 0; (await countOf(tx, linked, [link])) > 0; link++) await tx.query('analyze product_to_match');
  }
  await tx.query('analyze product_to_match');
  await tx.query('drop table changed_product, former_key');
}

const touched = `
  insert into product_to_match
  select product_key from changed_product
  union
  select product_key from catalog.product where region = $1 and valid_from > $2::timestamptz
  union
  select p.product_key
  from catalog.availability_history a
  join catalog.product p on p.product_key = a.product_key and p.region = $1
  -- Whatever begins follows something that ends, or the product is new.
  where a.valid_to > $2::timestamptz
  union
  select k.product_key from former_key f join derived.match_key k on k.gtin = f.gtin
  union
  select k.product_key from former_key f join derived.match_key k on k.tpnb = f.tpnb
  union
  select k.product_key from former_key f join derived.match_key k on k.name_hash = f.name_hash`;

const linked = `
  insert into product_to_match
  select other.product_key, $1::int + 1
  from (select product_key from product_to_match where link = $1) as m
  join derived.match_key k on k.product_key = m.product_key
  cross join lateral (
    select product_key from derived.match_key where gtin = k.gtin
    union
    select product_key from derived.match_key where tpnb = k.tpnb
    union
    select product_key from derived.match_key where name_hash = k.name_hash
  ) as other
  on conflict do nothing`;

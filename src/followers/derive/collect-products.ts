import type { RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import { createKeyed, keepKeys, readKeys } from './match-keys.ts';

/** Share of changed products above which matching all products is faster. */
const fewShare = 0.1;

interface ProductsToMatch {
  readonly region: RegionCode;
  /** Products changed after this instant are matched again; null: all products. */
  readonly since: Date | null;
}

/**
 * Creates the temporary tables `product_to_match` and `keyed`: changed products, and all products of both regions
 * connected to them through equal keys. Matches never cross such a connected set. Returns whether all products are
 * included.
 */
export async function collectProducts(
  tx: Transaction,
  { region, since }: ProductsToMatch,
  signal?: AbortSignal,
): Promise<boolean> {
  await tx.query(
    'create temporary table product_to_match (product_key int primary key, link int not null default 0) on commit drop',
  );
  await createKeyed(tx);
  if (since !== null) await tx.query(changed, [region, since]);
  if (since === null || (await areMost(tx))) {
    await tx.query('insert into product_to_match select product_key from catalog.product on conflict do nothing');
    await readKeys(tx, 0, signal);
    await keepKeys(tx);
    await forgetKeysLeft(tx);
    return true;
  }
  await readKeys(tx, 0, signal);
  await tx.query(formerlyLinked, [since]);
  await keepKeys(tx);
  await tx.query(linked, [0]);
  await readKeys(tx, 1, signal);
  for (let link = 1; (await countOf(tx, linked, [link])) > 0; link++) await readKeys(tx, link + 1, signal);
  return false;
}

async function areMost(tx: Transaction): Promise<boolean> {
  const [share] = await rowsOf<{ areMost: boolean }>(
    tx,
    `select (select count(*) from product_to_match) > ${fewShare} * reltuples as "areMost"
     from pg_class where oid = 'catalog.product'::regclass`,
  );
  return share!.areMost;
}

/** Deletes keys of products that a replay has removed. */
async function forgetKeysLeft(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from derived.match_key kept
     where not exists (select from catalog.product p where p.product_key = kept.product_key)`,
  );
}

/** For the other region, products changed by a partial run: their earlier state must be found as well. */
const changed = `
  insert into product_to_match
  select p.product_key
  from catalog.product p
  join matched_night night on night.region = p.region
  where p.valid_from > case when p.region = $1 then $2::timestamptz else night.observed_at end
  union
  select p.product_key
  from catalog.availability_history a
  join catalog.product p on p.product_key = a.product_key and p.region = $1
  -- Every spell that begins follows one that ends, unless the product is new.
  where a.valid_to > $2::timestamptz`;

/** Products that shared a key with a changed product before the change, because the key may be unique now. */
const formerlyLinked = `
  insert into product_to_match
  with former as (
    select h.gtin, h.tpnb
    from product_to_match m
    join catalog.product_history h on h.product_key = m.product_key and h.valid_to > $1::timestamptz
  )
  select p.product_key, 1 from former join catalog.product p on p.gtin = former.gtin
  union
  select p.product_key, 1 from former join catalog.product p on p.tpnb = former.tpnb
  union
  select other.product_key, 1
  from product_to_match m
  join derived.match_key own on own.product_key = m.product_key
  join derived.match_key other on other.name_key = own.name_key
  on conflict do nothing`;

/** Next step of the traversal: products connected to those of the previous step. */
const linked = `
  insert into product_to_match
  with found as (
    select k.gtin, k.tpnb, k.name_key
    from product_to_match m
    join keyed k on k.product_key = m.product_key
    where m.link = $1
  )
  select p.product_key, $1::int + 1 from found join catalog.product p on p.gtin = found.gtin
  union
  select p.product_key, $1::int + 1 from found join catalog.product p on p.tpnb = found.tpnb
  union
  select k.product_key, $1::int + 1 from found join derived.match_key k on k.name_key = found.name_key
  on conflict do nothing`;

import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import { packSizeFromTitle, packTitleVersion } from '../normalise/pack-title.ts';
import { comparableBrand, comparableName } from '../normalise/product-name.ts';
import { isTradeItemNumber } from '../normalise/trade-item-number.ts';
import type { CertifiedNight } from './derivation.ts';
import { productsThen } from './product-then.ts';

/** Raised with every change of how a key is read from a product. */
const keyRules = 2 + packTitleVersion;

/** Of everything a key is read from. */
const inputHash = `md5(concat_ws(E'\\x1f', ${keyRules}, coalesce(p.gtin, ''), coalesce(p.tpnb, ''), coalesce(p.brand, ''), p.title))::uuid`;

const productsAtOnce = 2_000;
/** So many new keys change what a table is planned for. */
const manyKeys = 1_000;

interface Changed {
  readonly productKey: number;
  readonly inputHash: string;
  readonly gtin: string | null;
  readonly tpnb: string | null;
  readonly brand: string | null;
  readonly title: string;
}

/**
 * Brings the match keys of a region's products up to what the products are on a night, by comparing all of them: a replay can give a product back a
 * version that began long ago, and keys can have been made by other rules. Makes the temporary tables `changed_product`, and `former_key`: what those products could be found by before.
 */
export async function renewMatchKeys(
  tx: Askable,
  region: RegionCode,
  { observedAt }: CertifiedNight,
  signal?: AbortSignal,
): Promise<void> {
  const at = observedAt.toISOString();
  await tx.query('create temporary table changed_product (product_key int) on commit drop');
  await tx.query('create temporary table former_key (gtin text, tpnb text, name_hash uuid) on commit drop');
  await tx.query(
    `declare changed_key no scroll cursor for
     select p.product_key as "productKey", ${inputHash} as "inputHash", p.gtin, p.tpnb, p.brand, p.title
     from ${productsThen(`'${at}'::timestamptz`)} as p
     left join derived.match_key k on k.product_key = p.product_key
     where p.region = '${region}' and k.input_hash is distinct from ${inputHash}`,
  );
  let read = 0;
  for (;;) {
    signal?.throwIfAborted();
    const changed = await rowsOf<Changed & Record<string, unknown>>(tx, `fetch ${productsAtOnce} from changed_key`);
    if (changed.length === 0) break;
    await write(tx, region, changed);
    read += changed.length;
  }
  await tx.query('close changed_key');
  if (await hasKeysLeft(tx, region, at)) await dropKeysLeft(tx, region, at);
  // The first keys of a book are as many as its products: what follows must not be planned for an empty table.
  if (read >= manyKeys) await tx.query('analyze derived.match_key');
}

/** Every product has a key by now: where there are more keys, products have gone, as a replay can make them. */
async function hasKeysLeft(tx: Askable, region: RegionCode, at: string): Promise<boolean> {
  const [told] = await rowsOf<{ hasLeft: boolean }>(
    tx,
    `select (select count(*) from derived.match_key where region = $1) > (select count(*) from catalog.product where region = $1 and first_seen_at <= $2) as "hasLeft"`,
    [region, at],
  );
  return told!.hasLeft;
}

async function dropKeysLeft(tx: Askable, region: RegionCode, at: string): Promise<void> {
  await tx.query(
    `with gone as (
       delete from derived.match_key k
       where k.region = $1 and not exists (select from catalog.product p where p.product_key = k.product_key and p.region = k.region and p.first_seen_at <= $2)
       returning k.gtin, k.tpnb, k.name_hash
     )
     insert into former_key select * from gone`,
    [region, at],
  );
}

async function write(tx: Askable, region: RegionCode, changed: readonly Changed[]): Promise<void> {
  const keys = changed.map(({ productKey }) => productKey);
  await tx.query('insert into changed_product select unnest($1::int[])', [keys]);
  await tx.query(
    'insert into former_key select gtin, tpnb, name_hash from derived.match_key where product_key = any ($1::int[])',
    [keys],
  );
  const sizes = changed.map(({ title }) => packSizeFromTitle(title));
  await tx.query(
    `insert into derived.match_key (region, product_key, input_hash, gtin, tpnb, brand, name_hash, content, measure, pieces)
     select $1, key.product_key, key.input_hash, key.gtin, key.tpnb, key.brand, md5(key.name)::uuid, key.content, key.measure, key.pieces
     from unnest($2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::text[], $10::smallint[])
       as key (product_key, input_hash, gtin, tpnb, brand, name, content, measure, pieces)
     on conflict (product_key) do update set
       region = excluded.region, input_hash = excluded.input_hash, gtin = excluded.gtin, tpnb = excluded.tpnb, brand = excluded.brand,
       name_hash = excluded.name_hash, content = excluded.content, measure = excluded.measure, pieces = excluded.pieces`,
    [
      region,
      keys,
      changed.map(({ inputHash }) => inputHash),
      changed.map(({ gtin }) => (gtin !== null && isTradeItemNumber(gtin) ? gtin : null)),
      changed.map(({ tpnb }) => tpnb),
      changed.map(({ brand }) => (brand === null ? null : comparableBrand(brand))),
      changed.map(({ title }) => comparableName(title)),
      sizes.map((size) => size?.size ?? null),
      sizes.map((size) => size?.measure ?? null),
      sizes.map((size) => size?.count ?? null),
    ],
  );
}

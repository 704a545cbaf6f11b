import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { packSizeFromTitle } from '../../source/normalise/pack-title.ts';
import { comparableBrand, comparableName } from '../../source/normalise/product-name.ts';
import { isTradeItemNumber } from '../../source/normalise/trade-item-number.ts';
import { inBatches } from './read-titles.ts';

interface Product {
  readonly productKey: number;
  readonly region: RegionCode;
  readonly validFrom: Date;
  readonly gtin: string | null;
  readonly tpnb: string | null;
  readonly brand: string | null;
  readonly title: string;
}

/** Creates the temporary table `keyed`: match keys of products as of their region's matched night. */
export async function createKeyed(tx: Queryable): Promise<void> {
  await tx.query(`
    create temporary table keyed (
      product_key int primary key, region text, valid_from timestamptz, gtin text, tpnb text, brand text, name text,
      content numeric, measure text, pieces smallint, name_key bigint
    ) on commit drop`);
}

/** Computes the keys of products added by one step to `product_to_match`, from their titles and codes. */
export async function readKeys(tx: Queryable, link: number, signal?: AbortSignal): Promise<void> {
  const select = `
    select p.product_key as "productKey", p.region, p.valid_from as "validFrom", p.gtin, p.tpnb, p.brand, p.title
    from product_to_match m
    join catalog.product now on now.product_key = m.product_key
    join matched_night night on night.region = now.region
    join lateral ${productsThen('night.observed_at')} as p on p.product_key = m.product_key
    where m.link = ${link}`;
  for await (const products of inBatches<Product & Record<string, unknown>>(tx, select, signal))
    await write(tx, products);
  await tx.query('analyze product_to_match, keyed');
}

async function write(tx: Queryable, products: readonly Product[]): Promise<void> {
  const sizes = products.map(({ title }) => packSizeFromTitle(title));
  await tx.query(
    `insert into keyed
     select read.*, case when brand is not null and content is not null
       then (
         'x' || left(md5(concat_ws('|', brand, name, content, measure, coalesce(pieces, 0))), 16)
       )::bit(64)::bigint end
     from unnest(
         $1::int[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::numeric[], $9::text[], $10::smallint[])
       as read (product_key, region, valid_from, gtin, tpnb, brand, name, content, measure, pieces)`,
    [
      products.map(({ productKey }) => productKey),
      products.map(({ region }) => region),
      products.map(({ validFrom }) => validFrom),
      // Only globally unique numbers are useful.
      products.map(({ gtin }) => (gtin !== null && isTradeItemNumber(gtin) ? gtin : null)),
      products.map(({ tpnb }) => tpnb),
      products.map(({ brand }) => (brand === null ? null : comparableBrand(brand))),
      products.map(({ title }) => comparableName(title)),
      sizes.map((size) => size?.size ?? null),
      sizes.map((size) => size?.measure ?? null),
      sizes.map((size) => size?.count ?? null),
    ],
  );
}

/** Updates the stored keys of the products in `keyed`. */
export async function keepKeys(tx: Queryable): Promise<void> {
  await tx.query(
    `delete from derived.match_key kept using keyed
     where keyed.product_key = kept.product_key and keyed.name_key is distinct from kept.name_key`,
  );
  await tx.query(
    `insert into derived.match_key (product_key, name_key)
     select product_key, name_key
     from keyed
     where name_key is not null
       and not exists (select from derived.match_key kept where kept.product_key = keyed.product_key)
     order by product_key`,
  );
}

/**
 * SQL to select from: products as known at an instant, without later changes by partial runs and without products first
 * seen by them.
 */
const productsThen = (at: string): string => `(
  select p.product_key, p.region, known.*
  from catalog.product p
  cross join lateral (
    select p.valid_from, p.gtin, p.tpnb, p.brand, p.title where p.valid_from <= ${at}
    union all
    select h.valid_from, h.gtin, h.tpnb, h.brand, h.title
    from catalog.product_history h
    where p.valid_from > ${at} and h.product_key = p.product_key and h.valid_from <= ${at} and h.valid_to > ${at}
  ) as known
)`;

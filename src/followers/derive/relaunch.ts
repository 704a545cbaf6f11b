import type { Queryable, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { CertifiedNight } from './derivation.ts';
import { type JudgedRelaunch, judgeRelaunch, relaunchDays, type Succession } from './judge-relaunch.ts';

/** Certified nights that show a change. */
export interface Shown {
  /** Night before `before`, because sources do not change at once. */
  readonly earlier: CertifiedNight;
  readonly before: CertifiedNight;
  readonly seen: CertifiedNight;
  readonly confirmed: CertifiedNight;
}

/** SQL: whether a product is listed at an instant. */
export const isListedAt = (product: string, instant: string) => `exists (
  select from catalog.availability_spell a
  where a.product_key = ${product} and a.availability in ('available', 'unavailable')
    and a.valid_from <= ${instant} and (a.valid_to is null or a.valid_to > ${instant}))`;

/**
 * Creates the temporary tables `arrival` and `departure`: products as they arrived or left, within the relevant nights
 * and the weeks before, one row per category. On a region's first night all products arrive.
 */
export async function collectMoves(
  sql: Queryable,
  region: string,
  since: CertifiedNight,
  last: CertifiedNight,
): Promise<void> {
  await sql.query('drop table if exists pg_temp.arrival, pg_temp.departure');
  const window = `> $2::timestamptz - interval '${relaunchDays + 7} days'`;
  for (const statement of [
    `create temporary table arrival on commit drop as
     select p.product_key, p.first_seen_at as moved_at, ${shown}
     from catalog.product p ${membership('p.first_seen_at')}
     where p.region = $1 and p.first_seen_at ${window} and p.first_seen_at <= $3
       and p.first_seen_at > (select min(observed_at) from ops.published_run where region = $1)`,
    `create temporary table departure on commit drop as
     select p.product_key, gone.valid_from as moved_at, ${shown}
     from catalog.availability_spell gone join catalog.product p using (product_key) ${membership('gone.valid_from')}
     where p.region = $1 and gone.availability = 'absent' and gone.valid_from ${window} and gone.valid_from <= $3`,
  ])
    await sql.query(statement, [region, since.observedAt, last.observedAt]);
  await sql.query('analyze arrival');
  await sql.query('analyze departure');
}

/** State when the product was listed at, or last before, an instant. */
const shown = `pc.category_key, case when former.product_key is null then p.title else former.title end as title,
   coalesce(marts.brand_key(case when former.product_key is null then p.brand else former.brand end), '') as brand,
   case when former.product_key is null then p.gtin else former.gtin end as gtin,
   case when former.product_key is null then p.tpnb else former.tpnb end as tpnb`;

const membership = (instant: string) => `
  join catalog.product_category pc on pc.product_key = p.product_key and pc.valid_from <= ${instant}
  left join catalog.product_history former
    on former.product_key = p.product_key and former.valid_from <= ${instant} and former.valid_to > ${instant}`;

interface Successor extends Succession {
  readonly productKey: number;
  readonly formerKey: number;
  readonly changedAt: Date;
  readonly oldPriceMinor: number | null;
  readonly newPriceMinor: number | null;
}

export type Relaunch = Successor & JudgedRelaunch;

/** Pairs each departed product with at most one arrived product, most similar first. */
export async function relaunchesOf(tx: Transaction, { before, seen, confirmed }: Shown): Promise<Relaunch[]> {
  const rows = await rowsOf<Successor & Record<string, unknown>>(tx, successors, [
    before.observedAt,
    seen.observedAt,
    confirmed.observedAt,
  ]);
  const judged = rows
    .flatMap((row) => {
      const relaunch = judgeRelaunch(row);
      return relaunch === null ? [] : [{ ...row, ...relaunch }];
    })
    .sort((a, b) => b.score - a.score || a.productKey - b.productKey || a.formerKey - b.formerKey);
  const paired = new Set<number>();
  return judged.filter(({ productKey, formerKey }) => {
    if (paired.has(productKey) || paired.has(formerKey)) return false;
    paired.add(productKey).add(formerKey);
    return true;
  });
}

const priceAt = (product: string, instant: string) => `(
  select price.price_minor from catalog.price_spell price
  where price.product_key = ${product} and price.valid_from <= ${instant}
    and (price.valid_to is null or price.valid_to > ${instant}))`;

/**
 * Departed products that are still gone and arrived products that are still listed, when the later event has just been
 * seen.
 */
const successors = `
  select distinct a.product_key as "productKey", d.product_key as "formerKey", a.title, d.title as "formerTitle",
    a.gtin,
    d.gtin as "formerGtin", coalesce(a.tpnb = d.tpnb, false) as "isSameTpnb",
    (abs(extract(epoch from a.moved_at - d.moved_at)) / 86400)::float8 as days,
    greatest(a.moved_at, d.moved_at) as "changedAt",
    ${priceAt('d.product_key', 'd.moved_at')} as "oldPriceMinor",
    ${priceAt('a.product_key', '$3::timestamptz')} as "newPriceMinor"
  from arrival a
  join departure d using (category_key, brand)
  where a.product_key <> d.product_key
    and greatest(a.moved_at, d.moved_at) > $1 and greatest(a.moved_at, d.moved_at) <= $2
    and a.moved_at - d.moved_at between interval '-${relaunchDays} days' and interval '${relaunchDays} days'
    and ${isListedAt('a.product_key', '$3::timestamptz')}
    and not exists (
      select from catalog.availability_spell back
      where back.product_key = d.product_key and back.availability in ('available', 'unavailable')
        and back.valid_from > d.moved_at and back.valid_from <= $3)
    and not exists (
      select from derived.pack_change c
      where c.former_product_key = d.product_key
        or (c.product_key = a.product_key and c.former_product_key is not null))
  order by 1, 2`;

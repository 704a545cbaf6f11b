import type { Transaction } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import { collectProducts } from './collect-products.ts';
import type { Derivation, NightsToDerive } from './derivation.ts';

/**
 * Matches of British and Irish products. They follow from the products' state after a night: the last certified night
 * of one region against the last of the other.
 */
export const regionMatch: Derivation = {
  name: 'region-match',

  async forget(tx, region, from) {
    await tx.query(
      `delete from derived.region_pair pair
       using catalog.product p, catalog.region r
       where p.product_key = pair.${region}_product_key and r.region = $1
         and p.valid_from >= $2::timestamp at time zone r.time_zone`,
      [region, from],
    );
  },

  async derive(tx, what, signal) {
    await noteMatchedNights(tx, what);
    // The first derived night of the other region matches all products of both.
    if ((await countOf(tx, 'select from matched_night')) < 2) return void (await tx.query('drop table matched_night'));
    const since = (await wasDerived(tx, what)) ? null : (what.before?.observedAt ?? null);
    const areAll = await collectProducts(tx, { region: what.region, since }, signal);
    await tx.query('create temporary table found_pair (like derived.region_pair) on commit drop');
    for (const [tier, key] of Object.entries(tiers)) {
      signal?.throwIfAborted();
      await tx.query(findPairs(Number(tier), key));
      await tx.query('analyze found_pair');
    }
    await keep(tx, areAll);
    await tx.query('drop table found_pair, product_to_match, keyed, matched_night');
  },
};

/** Creates the temporary table `matched_night`: the certified night of each region whose products are used. */
async function noteMatchedNights(tx: Transaction, { region, nights }: NightsToDerive): Promise<void> {
  await tx.query(
    `create temporary table matched_night on commit drop as
     select $1::text as region, $2::timestamptz as observed_at
     union all
     select run.region, max(run.observed_at) from derived.night join ops.run using (run_id) where run.region <> $1
     group by run.region`,
    [region, nights.at(-1)!.observedAt],
  );
}

/**
 * If a night is derived again, changes on it may have disappeared without a trace, so all products are matched again.
 */
async function wasDerived(tx: Transaction, { region, nights }: NightsToDerive): Promise<boolean> {
  const [told] = await rowsOf<{ was: boolean }>(
    tx,
    'select exists (select from derived.night_change where region = $1 and snapshot_date >= $2) as was',
    [region, nights[0]!.snapshotDate],
  );
  return told!.was;
}

/** Titles round the content: four pints are 2.272 or 2.27 litres. Different sizes of an article differ by more. */
const isSameContent = 'abs(uk.content - ie.content) <= 0.005 * greatest(uk.content, ie.content)';

/** Key by tier. A product matched by a lower tier, even ambiguously, is not matched again. */
const tiers: Readonly<Record<number, string>> = {
  1: 'k.gtin',
  2: 'k.tpnb',
  3: `case when k.brand is not null and k.content is not null
      then concat_ws('|', k.brand, k.name, k.content, k.measure, coalesce(k.pieces, 0)) end`,
};

/**
 * Pairs with equal keys, each unique in its region at any time: a relisted product may follow another one under its
 * key, but a key of two simultaneous products is ambiguous.
 */
function findPairs(tier: number, key: string): string {
  return `
    insert into found_pair
      (uk_product_key, ie_product_key, tier, score, alarm, uk_content, ie_content, measure, since)
    with unmatched as materialized (
      select k.*, ${key} as key
      from keyed k
      where ${key} is not null
        and not exists (select from found_pair f where f.uk_product_key = k.product_key)
        and not exists (select from found_pair f where f.ie_product_key = k.product_key)
    ), repeated as (
      select region, key from unmatched group by region, key having count(*) > 1
    ), listed as (
      select k.region, k.key, k.product_key, min(a.valid_from) as since,
        max(case when a.valid_to <= night.observed_at then a.valid_to else 'infinity' end) as until
      from repeated
      join unmatched k on k.region = repeated.region and k.key = repeated.key
      join matched_night night on night.region = k.region
      join catalog.availability_spell a on a.product_key = k.product_key
        and a.availability in ('available', 'unavailable') and a.valid_from <= night.observed_at
      group by k.region, k.key, k.product_key
    ), succession as (
      select key, since, max(until) over (
        partition by region, key order by since, product_key
        rows between unbounded preceding and 1 preceding) as others_until
      from listed
    ), pair as (
      select uk.product_key as uk_product_key, ie.product_key as ie_product_key, uk.content as uk_content,
        ie.content as ie_content,
        uk.measure, greatest(uk.valid_from, ie.valid_from) as since,
        uk.measure = ie.measure and not ${isSameContent} as is_other_size,
        array[uk.gtin = ie.gtin, uk.tpnb = ie.tpnb, uk.brand = ie.brand, uk.name = ie.name,
          uk.measure = ie.measure and ${isSameContent}] as agreements
      from unmatched uk
      join unmatched ie on ie.key = uk.key and ie.region = 'ie'
      join catalog.product uk_product on uk_product.product_key = uk.product_key
      -- A price per kilogram is not compared with the price of a pack.
      join catalog.product ie_product on ie_product.product_key = ie.product_key
        and (ie_product.catch_weight_grams is null) = (uk_product.catch_weight_grams is null)
      where uk.region = 'uk' and not exists (select from succession s where s.key = uk.key and s.since < s.others_until)
    )
    select uk_product_key, ie_product_key, ${tier},
      (select round(avg(agrees::int), 2) from unnest(agreements) as agrees), alarm,
      case when alarm is not null then uk_content end, case when alarm is not null then ie_content end,
      case when alarm is not null then measure end, since
    from pair
    cross join lateral (select case when is_other_size then 'other_size' end as alarm) as judged`;
}

/** Updates the stored pairs: deletes pairs that no longer match and inserts new or changed ones. */
async function keep(tx: Transaction, areAll: boolean): Promise<void> {
  await tx.query(
    `delete from derived.region_pair kept
     where ($1
         or exists (select from product_to_match m where m.product_key = kept.uk_product_key)
         or exists (select from product_to_match m where m.product_key = kept.ie_product_key))
       and not exists (
         select from found_pair found
         where found.uk_product_key = kept.uk_product_key and found.ie_product_key = kept.ie_product_key
           and (found.tier, found.score, found.since) = (kept.tier, kept.score, kept.since)
           and found.alarm is not distinct from kept.alarm)`,
    [areAll],
  );
  await tx.query('insert into derived.region_pair select * from found_pair on conflict do nothing');
}

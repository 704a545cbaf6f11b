import type { RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { Derivation } from './derivation.ts';
import { addPriceRatios, collectPriceRatios } from './price-ratios.ts';
import { addPriceSpells, forgetPriceSpells, removePriceSpells } from './region-price-spells.ts';

/**
 * Comparison of Irish and British prices on every date certified in both regions: prices by match, and sums of ratios.
 * Current matches apply to all dates: a new or dropped match is added to or removed from all of them, so that results
 * do not depend on when a date was derived.
 */
export const regionJevons: Derivation = {
  name: 'region-jevons',

  async forget(tx, _region, from) {
    await forgetDates(tx, from);
  },

  async derive(tx, { region, nights }, signal) {
    const dates = nights.map(({ snapshotDate }) => snapshotDate);
    const from = dates[0]!;
    // The other region's nights of these dates, or later ones, may have been derived first.
    const later = await comparedDates(tx, from);
    await forgetDates(tx, from);
    await tx.query(`
      create temporary table changed_pair (uk_product_key int, ie_product_key int, sign int) on commit drop`);
    await tx.query(
      `create temporary table compared_night (night_no int, snapshot_date date, uk_at timestamptz, ie_at timestamptz)
         on commit drop`,
    );
    if ((await collectChangedPairs(tx)) > 0) {
      await removePriceSpells(tx);
      await compareOn(tx, region, await comparedDates(tx));
      await notePairs(tx);
    }
    signal?.throwIfAborted();
    await tx.query('truncate changed_pair');
    await tx.query('insert into changed_pair select uk_product_key, ie_product_key, 1 from derived.compared_pair');
    await compareOn(tx, region, [...dates, ...later]);
    await tx.query('drop table changed_pair, compared_night');
    if (region === 'ie') await tx.query('analyze derived.region_jevons');
  },
};

async function forgetDates(tx: Pick<Transaction, 'query'>, from: string): Promise<void> {
  await tx.query('delete from derived.region_jevons where snapshot_date >= $1', [from]);
  await forgetPriceSpells(tx, from);
}

/** Derived dates from a date on. */
async function comparedDates(tx: Transaction, from = '-infinity'): Promise<string[]> {
  const rows = await rowsOf<{ date: string }>(
    tx,
    'select snapshot_date as date from derived.region_jevons where category_key = 0 and snapshot_date >= $1',
    [from],
  );
  return rows.map(({ date }) => date);
}

/**
 * Adds prices of the pairs in `changed_pair` on dates certified in both regions. If the other region is still to be
 * derived, its derivation adds the date.
 */
async function compareOn(tx: Transaction, region: RegionCode, dates: readonly string[]): Promise<void> {
  await tx.query('truncate compared_night');
  await tx.query(collectNights, [dates, region]);
  const span = await collectPriceRatios(tx);
  if (!span) return;
  await addPriceRatios(tx, span);
  await addPriceSpells(tx, span.nights);
}

/** Matches to add or remove. */
async function collectChangedPairs(tx: Transaction): Promise<number> {
  return countOf(
    tx,
    `insert into changed_pair
     select coalesce(pair.uk_product_key, counted.uk_product_key),
       coalesce(pair.ie_product_key, counted.ie_product_key),
       case when counted.uk_product_key is null then 1 else -1 end
     from (select uk_product_key, ie_product_key from derived.region_pair where alarm is null) as pair
     full join derived.compared_pair counted
       on counted.uk_product_key = pair.uk_product_key and counted.ie_product_key = pair.ie_product_key
     where counted.uk_product_key is null or pair.uk_product_key is null`,
  );
}

async function notePairs(tx: Transaction): Promise<void> {
  await tx.query(`
    delete from derived.compared_pair counted
    using changed_pair changed
    where changed.sign = -1 and counted.uk_product_key = changed.uk_product_key
      and counted.ie_product_key = changed.ie_product_key`);
  await tx.query(
    'insert into derived.compared_pair select uk_product_key, ie_product_key from changed_pair where sign = 1',
  );
}

/** Dates certified in both regions, numbered from 0, with both instants. */
const collectNights = `
  insert into compared_night (night_no, snapshot_date, uk_at, ie_at)
  select (row_number() over (order by snapshot_date) - 1)::int, snapshot_date, uk.observed_at, ie.observed_at
  from (${certifiedOf('uk')}) as uk
  join (${certifiedOf('ie')}) as ie using (snapshot_date)
  join derived.night other using (snapshot_date)
  where snapshot_date = any ($1::date[])
    and other.region <> $2 and other.run_id in (uk.run_id, ie.run_id)`;

/** SQL: certified nights of a region. */
function certifiedOf(region: RegionCode): string {
  return `
    select distinct on (snapshot_date) snapshot_date, run_id, observed_at
    from ops.certified_run
    where region = '${region}'
    order by snapshot_date, run_id desc`;
}

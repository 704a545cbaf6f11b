import type { Transaction } from '../../db/client.ts';

/** Undoes dates from one on: deletes spells that began there and reopens spells that ended there. */
export async function forgetPriceSpells(tx: Pick<Transaction, 'query'>, from: string): Promise<void> {
  await tx.query(
    'delete from derived.region_price_spell where valid_from >= $1 and (valid_to is null or valid_to > $1)',
    [from],
  );
  await tx.query('update derived.region_price_spell set valid_to = null where valid_to >= $1', [from]);
}

/** Deletes spells of pairs in `changed_pair` that no longer match. */
export async function removePriceSpells(tx: Transaction): Promise<void> {
  await tx.query(`
    delete from derived.region_price_spell spell
    using changed_pair changed
    where changed.sign = -1 and spell.uk_product_key = changed.uk_product_key
      and spell.ie_product_key = changed.ie_product_key`);
}

/**
 * Adds `price_ratio` for the dates of `compared_night`, which follow all existing spells. A spell continues while both
 * prices stay equal, so a night only writes changes.
 */
export async function addPriceSpells(tx: Transaction, nights: number): Promise<void> {
  await tx.query(heldPrices(nights));
  await tx.query('analyze held_price');
  await tx.query(`
    update derived.region_price_spell spell
    set valid_to = night.snapshot_date
    from changed_pair pair
    left join held_price held
      on held.uk_product_key = pair.uk_product_key and held.ie_product_key = pair.ie_product_key and held.goes_on
    join compared_night night on night.night_no = case when held.goes_on then held.to_no else 0 end
    where pair.sign = 1
      and spell.uk_product_key = pair.uk_product_key and spell.ie_product_key = pair.ie_product_key
      and spell.valid_to is null`);
  await tx.query(`
    insert into derived.region_price_spell
      (uk_product_key, ie_product_key, valid_from, valid_to, uk_price_minor, ie_price_minor, ratio)
    select held.uk_product_key, held.ie_product_key, first.snapshot_date, after.snapshot_date, held.uk_price_minor,
      held.ie_price_minor,
      held.ie_price_minor::float8 / held.uk_price_minor
    from held_price held
    join compared_night first on first.night_no = held.from_no
    left join compared_night after on after.night_no = held.to_no
    where not held.goes_on`);
  await tx.query('drop table held_price');
}

/** Spells that continue or begin; `to_no` is null if still valid on the last date. */
const heldPrices = (nights: number): string => `
  create temporary table held_price on commit drop as
  select held.uk_product_key, held.ie_product_key, held.uk_price_minor, held.ie_price_minor, held.from_no,
    nullif(held.to_no, ${nights}) as to_no, open.valid_from is not null as goes_on
  from (${nights === 1 ? pricesOfOneNight : pricesOfNights}) as held
  left join derived.region_price_spell open
    on open.valid_to is null and held.from_no = 0
    and open.uk_product_key = held.uk_product_key and open.ie_product_key = held.ie_product_key
    and open.uk_price_minor = held.uk_price_minor and open.ie_price_minor = held.ie_price_minor`;

const pricesOfOneNight = `
  select uk_product_key, ie_product_key, uk_price_minor, ie_price_minor, from_no, to_no from price_ratio
  where sign = 1`;

/** Merges adjacent spells with equal prices. */
const pricesOfNights = `
  select uk_product_key, ie_product_key, uk_price_minor, ie_price_minor, lower(run) as from_no, upper(run) as to_no
  from (
    select uk_product_key, ie_product_key, uk_price_minor, ie_price_minor, range_agg(int4range(from_no, to_no)) as runs
    from price_ratio
    where sign = 1
    group by uk_product_key, ie_product_key, uk_price_minor, ie_price_minor
  ) as priced, unnest(runs) as run`;

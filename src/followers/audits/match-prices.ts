import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { derivationRules } from '../derive/index.ts';

/**
 * Holds what matches cost on a date against the histories of both products. Returns how many have another price than
 * that, or are missing or too many; null where the date has not been derived in both regions, or by rules that have
 * changed since.
 */
export async function countDifferingMatches(sql: Askable, snapshotDate: string): Promise<number | null> {
  const [differing] = await rowsOf<{ matches: number }>(sql, compareMatches, [snapshotDate, derivationRules]);
  return differing?.matches ?? null;
}

/**
 * $1 date, $2 the rules. Pairs are matches as they are now: what is no longer one is taken out when the next night is
 * derived.
 */
const compareMatches = `
  with expected as (
    select uk_product_key, ie_product_key, uk_price, ie_price
    from marts.fct_region_gap
    where snapshot_date = $1 and uk_price > 0 and ie_price > 0
  ), kept as (
    select spell.uk_product_key, spell.ie_product_key, spell.uk_price, spell.ie_price, spell.ratio
    from marts.fct_region_price_spell spell
    join marts.region_match match using (uk_product_key, ie_product_key)
    where spell.valid_from <= $1 and (spell.valid_to is null or spell.valid_to > $1)
  )
  select (
    select count(*) from expected full join kept using (uk_product_key, ie_product_key)
    where (expected.uk_price, expected.ie_price) is distinct from (kept.uk_price, kept.ie_price)
      or abs(kept.ratio * kept.uk_price::float8 / kept.ie_price::float8 - 1) > 1e-9)::int as matches
  where (
    select count(*)
    from derived.night done
    join (
      select distinct on (region) region, run_id
      from ops.run
      where snapshot_date = $1 and status = 'published' and verdict in ('complete', 'complete_within_tolerance')
      order by region, run_id desc
    ) as certified using (region, run_id)
    where done.snapshot_date = $1 and done.rules = $2) = 2`;

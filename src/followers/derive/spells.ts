import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';

/** What nights said of products one after the other, as spells with dates of nights; the open row is the current one. */
export interface NightSpells {
  readonly table: 'derived.pack_size' | 'derived.unit_price_mistake';
  /** What a spell says; a product of which the first is null has none. */
  readonly columns: readonly [string, ...string[]];
}

/**
 * Takes back what nights of a date and later ones said of a region's products: spells that began with them go, those
 * that ended go on.
 */
export async function forgetSpells(
  tx: Askable,
  { table }: NightSpells,
  region: RegionCode,
  from: string,
): Promise<void> {
  await tx.query(
    `delete from ${table} s
     using catalog.product p
     where p.product_key = s.product_key and p.region = $1 and s.valid_from >= $2`,
    [region, from],
  );
  await tx.query(
    `update ${table} s
     set valid_to = null
     from catalog.product p
     where p.product_key = s.product_key and p.region = $1 and s.valid_to >= $2`,
    [region, from],
  );
}

/**
 * Adds what later nights say to the spells; a night writes what changed. `said` is a temporary table: `product_key`,
 * `snapshot_date` and the columns, a row for each night that may say something else of a product.
 */
export async function addSpells(tx: Askable, { table, columns }: NightSpells, said: string): Promise<void> {
  const values = columns.join(', ');
  await tx.query('drop table if exists pg_temp.spell_change');
  await tx.query(`
    create temporary table spell_change on commit drop as
    with told as (
      select product_key, snapshot_date, ${values} from ${said}
      union all
      select product_key, null, ${values} from ${table}
      where valid_to is null and product_key in (select product_key from ${said})
    ), compared as (
      select told.*, ${columns.map((name) => `lag(${name}) over product as old_${name}`).join(', ')}
      from told
      window product as (partition by product_key order by snapshot_date nulls first)
    )
    select product_key, snapshot_date, ${values}
    from compared
    where snapshot_date is not null and (${values}) is distinct from (${columns.map((name) => `old_${name}`).join(', ')})`);
  await tx.query(`
    update ${table} open
    set valid_to = first.snapshot_date
    from (select product_key, min(snapshot_date) as snapshot_date from spell_change group by product_key) as first
    where open.product_key = first.product_key and open.valid_to is null`);
  await tx.query(`
    insert into ${table} (product_key, valid_from, valid_to, ${values})
    select product_key, snapshot_date, until, ${values}
    from (
      select *, lead(snapshot_date) over (partition by product_key order by snapshot_date) as until from spell_change
    ) as spell
    where ${columns[0]} is not null
    order by snapshot_date, product_key`);
}

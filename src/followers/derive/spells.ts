import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';

/** Values of products over nights, stored as spells by date; the open row is current. */
export interface NightSpells {
  readonly table: 'derived.pack_size' | 'derived.unit_price_mistake';
  /** Columns of the value; no spell if the first is null. */
  readonly columns: readonly [string, ...string[]];
}

/** Undoes nights of a region from a date on: deletes spells that began there and reopens spells that ended there. */
export async function forgetSpells(
  tx: Queryable,
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
 * Adds later nights to the spells; a night only writes changes. `said` is a temporary table: `product_key`,
 * `snapshot_date` and the value columns, with one row per night on which a product's value may change.
 */
export async function addSpells(tx: Queryable, { table, columns }: NightSpells, said: string): Promise<void> {
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
    where snapshot_date is not null
      and (${values}) is distinct from (${columns.map((name) => `old_${name}`).join(', ')})`);
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

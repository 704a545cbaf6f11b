import type { Database, Transaction } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { dbtModels } from '../docs/bi-statements.ts';

interface CopiedMart {
  readonly mart: string;
  /** Names one row. */
  readonly key: string;
  /** The night of a row. */
  readonly night: string;
  /** Lists changed nights. */
  readonly by: 'change_seq' | 'derived_change_seq';
  /** Current name of the product or category, which changes without the key. */
  readonly current?: readonly string[];
}

const copied: readonly CopiedMart[] = [
  {
    mart: 'snapshot',
    key: 'region, snapshot_date',
    night: 'snapshot_date',
    by: 'change_seq',
    current: ['derived_change_seq', 'derived_at'],
  },
  { mart: 'fct_price_daily', key: 'region, snapshot_date, product_id', night: 'snapshot_date', by: 'change_seq' },
  { mart: 'fct_price_change', key: 'region, product_id, changed_at', night: 'snapshot_date', by: 'change_seq' },
  { mart: 'fct_availability_change', key: 'region, product_id, changed_at', night: 'snapshot_date', by: 'change_seq' },
  { mart: 'fct_assortment_change', key: 'region, product_id, snapshot_date', night: 'snapshot_date', by: 'change_seq' },
  { mart: 'fct_price_spell', key: 'region, product_id, valid_from', night: 'valid_from', by: 'change_seq' },
  { mart: 'fct_availability_spell', key: 'region, product_id, valid_from', night: 'valid_from', by: 'change_seq' },
  { mart: 'fct_out_of_stock_spell', key: 'region, product_id, valid_from', night: 'valid_from', by: 'change_seq' },
  { mart: 'fct_promotion', key: 'product_key, promotion_key, seen_from', night: 'snapshot_date', by: 'change_seq' },
  { mart: 'fct_region_daily', key: 'region, snapshot_date', night: 'snapshot_date', by: 'derived_change_seq' },
  {
    mart: 'fct_category_daily',
    key: 'region, snapshot_date, category_key',
    night: 'snapshot_date',
    by: 'derived_change_seq',
    current: ['depth', 'path'],
  },
  {
    mart: 'price_index',
    key: 'region, coalesce(category_key, 0), period, period_start, method, price_basis',
    night: 'period_start',
    by: 'derived_change_seq',
    current: ['category_path'],
  },
  {
    mart: 'fct_pack_change',
    key: 'region, product_key, snapshot_date',
    night: 'confirmed_on',
    by: 'derived_change_seq',
    current: ['title'],
  },
  { mart: 'fct_pack_size_spell', key: 'region, product_id, valid_from', night: 'valid_from', by: 'derived_change_seq' },
  {
    mart: 'fct_unit_price_mistake',
    key: 'region, product_id, valid_from',
    night: 'valid_from',
    by: 'derived_change_seq',
    current: ['title'],
  },
];

const models = dbtModels('docs/analyse/bi/dbt.md').map((model, n) => ({ ...model, table: `copy.model_${n}` }));

/** Empty copies of the marts, in a schema of their own. */
export async function openCopy(db: Database): Promise<void> {
  await db.query('drop schema if exists copy cascade');
  await db.query('create schema copy');
  for (const { mart } of copied) await db.query(`create table copy.${mart} as select * from marts.${mart} limit 0`);
  for (const { table, whole } of models)
    await db.query(`create table ${table} as select * from (${whole}) as model limit 0`);
}

/** Updates the copies as docs/analyse/bi/README.md describes, reading only rows with a greater key than theirs. */
export async function refreshCopy(db: Database): Promise<void> {
  await db.tx(
    async (tx) => {
      for (const each of copied) await refresh(tx, each);
      for (const each of models) await runAgain(tx, each);
    },
    { isolation: 'repeatable read' },
  );
}

async function refresh(tx: Transaction, { mart, key, night, by }: CopiedMart): Promise<void> {
  const [seen] = await rowsOf<{ n: number }>(tx, `select coalesce(max(change_seq), 0) as n from copy.${mart}`);
  await tx.query('drop table if exists pg_temp.changed');
  const changed =
    mart === 'fct_price_spell' ? `marts.price_spells_since(${seen!.n})` : `marts.${mart} where change_seq > ${seen!.n}`;
  await tx.query(`create temporary table changed on commit drop as select * from ${changed}`);
  const moved = `select region, snapshot_date from marts.snapshot where ${by} > ${seen!.n}`;
  await tx.query(
    mart === 'price_index'
      ? `delete from copy.price_index c using (
           select region, min(snapshot_date) as night
           from (${moved}) as moved
           group by region) as first
         where c.region = first.region and c.period_start >= date_trunc(c.period, first.night::timestamp)::date`
      : `delete from copy.${mart} where (region, ${night}) in (${moved})`,
  );
  await tx.query(`delete from copy.${mart} where (${key}) in (select ${key} from changed)`);
  await tx.query(`insert into copy.${mart} select * from changed`);
}

/** As dbt does it: `delete+insert` by region and snapshot_date. */
async function runAgain(tx: Transaction, { table, next }: (typeof models)[number]): Promise<void> {
  await tx.query('drop table if exists pg_temp.changed');
  await tx.query(`create temporary table changed on commit drop as ${next(table)}`);
  await tx.query(`delete from ${table} where (region, snapshot_date) in (select region, snapshot_date from changed)`);
  await tx.query(`insert into ${table} select * from changed`);
}

/** Rows of copies that the marts do not have, and of marts that the copies do not. */
export async function differingRows(db: Database): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (const { mart, current = [] } of copied) {
    const columns = await columnsOf(db, mart, current);
    const of = (schema: string) => `select ${columns} from ${schema}.${mart}`;
    const rows = await rowsOf(
      db,
      `with copied as materialized (${of('copy')}), shown as materialized (${of('marts')})
       select 'only in the copy' as found, to_jsonb(r) as row from (table copied except all table shown) as r
       union all
       select 'missing', to_jsonb(r) from (table shown except all table copied) as r
       limit 3`,
    );
    found.push(...rows.map((row) => ({ mart, ...row })));
  }
  for (const { table, whole } of models) {
    const rows = await rowsOf(
      db,
      `with shown as materialized (${whole})
       select 'only in the copy' as found, to_jsonb(r) as row from (table ${table} except all table shown) as r
       union all
       select 'missing', to_jsonb(r) from (table shown except all table ${table}) as r
       limit 3`,
    );
    found.push(...rows.map((row) => ({ mart: table, ...row })));
  }
  return found;
}

/** Columns of a mart, except those that change without the key. */
async function columnsOf(db: Database, mart: string, current: readonly string[]): Promise<string> {
  const [row] = await rowsOf<{ names: string }>(
    db,
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all($2::text[])`,
    [`marts.${mart}`, current],
  );
  return row!.names;
}

/** How many rows of each the copies have. */
export async function copiedRows(db: Database): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { mart } of copied) {
    const [row] = await rowsOf<{ rows: number }>(db, `select count(*)::int as rows from copy.${mart}`);
    counted[mart] = row!.rows;
  }
  return counted;
}

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
}

/** Current names of products and categories, and another change key: they change without the key. */
const current: Readonly<Record<string, readonly string[]>> = {
  snapshot: ['derived_change_seq', 'derived_at'],
  fct_category_daily: ['depth', 'path'],
  price_index: ['category_path'],
  fct_pack_change: ['title'],
};

const models = dbtModels('copy');

const readCopied = (db: Database) =>
  rowsOf<CopiedMart & Record<string, unknown>>(
    db,
    `select mart, night, change_key as by,
       case mart when 'price_index' then replace(columns, 'category_key', 'coalesce(category_key, 0)') else columns end
         as key
     from marts.relation
     where change_key is not null
     order by mart`,
  );

/** Empty copies of the marts, in a schema of their own. */
export async function openCopy(db: Database): Promise<void> {
  await db.query('drop schema if exists copy cascade');
  await db.query('create schema copy');
  for (const { mart } of await readCopied(db))
    await db.query(`create table copy.${mart} as select * from marts.${mart} limit 0`);
  for (const { table, whole } of models)
    await db.query(`create table ${table} as select * from (${whole}) as model limit 0`);
}

/** Updates the copies as docs/analyse/bi/copies.md describes, reading only rows with a greater key than theirs. */
export async function refreshCopy(db: Database): Promise<void> {
  const copied = await readCopied(db);
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
  await tx.query(
    `create temporary table changed on commit drop as select * from marts.${mart} where change_seq > ${seen!.n}`,
  );
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
  await tx.query(`create temporary table changed on commit drop as ${next}`);
  await tx.query(`delete from ${table} where (region, snapshot_date) in (select region, snapshot_date from changed)`);
  await tx.query(`insert into ${table} select * from changed`);
}

/** Rows of copies that the marts do not have, and of marts that the copies do not. */
export async function differingRows(db: Database): Promise<Record<string, unknown>[]> {
  const copies = models.map(({ table, whole }) => ({ mart: table, copied: `table ${table}`, shown: whole }));
  for (const { mart } of await readCopied(db)) {
    const of = `select ${await columnsOf(db, mart, current[mart] ?? [])} from`;
    copies.push({ mart, copied: `${of} copy.${mart}`, shown: `${of} marts.${mart}` });
  }
  const found: Record<string, unknown>[] = [];
  for (const { mart, copied, shown } of copies) {
    const rows = await rowsOf(
      db,
      `with copied as materialized (${copied}), shown as materialized (${shown})
       select 'only in the copy' as found, to_jsonb(r) as row from (table copied except all table shown) as r
       union all
       select 'missing', to_jsonb(r) from (table shown except all table copied) as r
       limit 3`,
    );
    found.push(...rows.map((row) => ({ mart, ...row })));
  }
  return found;
}

/** Columns of a mart, except those that change without the key. */
async function columnsOf(db: Database, mart: string, left: readonly string[]): Promise<string> {
  const [row] = await rowsOf<{ names: string }>(
    db,
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all($2::text[])`,
    [`marts.${mart}`, left],
  );
  return row!.names;
}

/** How many rows of each the copies have. */
export async function copiedRows(db: Database): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { mart } of await readCopied(db)) {
    const [row] = await rowsOf<{ rows: number }>(db, `select count(*)::int as rows from copy.${mart}`);
    counted[mart] = row!.rows;
  }
  return counted;
}

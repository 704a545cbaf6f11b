import type { Queryable } from '../../db/client.ts';
import { countOf } from '../../db/rows.ts';
import type { Columns } from './columns.ts';
import { toShadow } from './shadow-names.ts';

/** Deletes rows of `inScope` (SQL) that the shadow does not have. Returns their number. */
export async function removeRows(
  sql: Queryable,
  table: string,
  key: readonly string[],
  inScope: string,
): Promise<number> {
  return countOf(
    sql,
    `delete from ${table} x using (${inScope}) as o
     where ${isSame(key, 'x', 'o')} and not exists (select from ${toShadow(table)} s where ${isSame(key, 's', 'o')})`,
  );
}

/** Updates and inserts rows from the shadow, without touching equal ones. Returns the number of rows written. */
export async function putRows(
  sql: Queryable,
  table: string,
  key: readonly string[],
  columns: Columns,
): Promise<number> {
  const all = columns.get(table)!;
  const values = all.filter((column) => !key.includes(column));
  const row = (alias: string) => `row(${values.map((column) => `${alias}.${column}`).join(', ')})`;
  const changed = await countOf(
    sql,
    `update ${table} x set ${values.map((column) => `${column} = s.${column}`).join(', ')}
     from ${toShadow(table)} s
     where ${isSame(key, 'x', 's')} and ${row('x')} is distinct from ${row('s')}`,
  );
  const added = await countOf(
    sql,
    `insert into ${table} (${all.join(', ')}) overriding system value
     select ${all.map((column) => `s.${column}`).join(', ')} from ${toShadow(table)} s
     where not exists (select from ${table} x where ${isSame(key, 'x', 's')})`,
  );
  return changed + added;
}

const isSame = (key: readonly string[], left: string, right: string): string =>
  key.map((column) => `${left}.${column} = ${right}.${column}`).join(' and ');

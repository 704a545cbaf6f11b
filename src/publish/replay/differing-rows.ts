import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Columns, readColumns } from './columns.ts';
import { describedBy, type KeptTable, keptTables, rowsAt, unknownHash } from './rewind.ts';
import type { ReplayScope } from './scope.ts';
import { toShadow } from './shadow-names.ts';

/** Number of rows of a table that applying the replay would add, change or remove. */
export interface DifferingRows {
  readonly table: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Counts rows that differ between shadow and live catalogue; tables without differences are omitted. */
export async function countDifferingRows(db: Database, scope: ReplayScope): Promise<DifferingRows[]> {
  const columns = await readColumns(db);
  const found: DifferingRows[] = [];
  for (const table of keptTables.filter(({ part }) => scope.parts.includes(part))) {
    const [row] = await rowsOf<Omit<DifferingRows, 'table'>>(
      db,
      `select (count(*) filter (where live_key is null))::int as added,
         (count(*) filter (where shadow_key is null))::int as removed,
         (count(*) filter (where live_key is not null and shadow_key is not null))::int as changed
       from (${differing(table, columns, scope)}) as d`,
    );
    if (row && row.added + row.changed + row.removed > 0) found.push({ table: table.name, ...row });
  }
  return found;
}

/** SQL: rows of a table that differ between both sides, joined by key: `live_key`, `shadow_key` and the key columns. */
function differing(table: KeptTable, columns: Columns, scope: ReplayScope): string {
  const compared = columns
    .get(`catalog.${table.name}`)!
    .filter((column) => !table.key.includes(column) && !undated(table.name, scope).includes(column));
  const values = (alias: string) => `row(${compared.map((column) => `${alias}.${column}`).join(', ')})`;
  const [first] = table.key;
  return `
    select l.${first} as live_key, s.${first} as shadow_key, ${table.key.map((column) => `${column}`).join(', ')}
    from (${rowsAt(table.name, columns, 'until_at')}) as l
    full join ${toShadow(`catalog.${table.name}`)} as s using (${table.key.join(', ')})
    where l.${first} is null or s.${first} is null or ${values('l')} is distinct from ${values('s')}`;
}

/** Columns without history, which cannot be compared as of an earlier time. */
function undated(table: string, { windows }: ReplayScope): readonly string[] {
  if (windows.every(({ untilAt }) => untilAt === null)) return [];
  if (table === 'product') return ['entry_hash'];
  if (table === 'product_current') return ['next_turn'];
  return table === 'category' ? ['name', 'label', 'depth', 'path', 'parent_key', 'last_seen_at'] : [];
}

/**
 * Restores the entry hash of products that no replayed night listed and that are equal on both sides. The hash was
 * removed so that the first observation would be compared.
 */
export async function restoreHashes(db: Database, scope: ReplayScope): Promise<void> {
  if (!scope.parts.includes('listing')) return;
  const columns = await readColumns(db);
  const ofProducts = keptTables.filter(({ part, key }) => part === 'listing' && key[0] === 'product_key');
  const touched = ofProducts
    .filter(({ name }) => name !== 'product')
    .map((table) => `select product_key from (${differing(table, columns, scope)}) as d`);
  const version = [...describedBy, 'is_for_sale', 'valid_from'];
  await db.query(
    `update catalog_replay.product s set entry_hash = l.entry_hash
     from catalog.product l
     where l.product_key = s.product_key and s.entry_hash = ${unknownHash}
       and (${version.map((column) => `l.${column}`).join(', ')})
         is not distinct from (${version.map((column) => `s.${column}`).join(', ')})
       and not exists (select from (${touched.join(' union all ')}) as t where t.product_key = s.product_key)`,
  );
}

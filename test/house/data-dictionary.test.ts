import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { root } from './source-files.ts';

interface Column {
  readonly mart: string;
  readonly explanation: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
}

describe('data dictionary', () => {
  const database = useDatabase();

  it('says what the comments in the database say (npx vitest run test/house -u writes it anew)', async () => {
    const { rows } = await database.db.query<Column & Record<string, unknown>>(`
      select c.relname::text as mart, obj_description(c.oid, 'pg_class') as explanation, a.attname as name,
        format_type(a.atttypid, a.atttypmod) as type, col_description(c.oid, a.attnum) as meaning
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'marts'::regnamespace and c.relkind in ('v', 'm')
      union all
      select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', obj_description(p.oid, 'pg_proc'), null, null, null
      from pg_proc p
      where p.pronamespace = 'marts'::regnamespace`);
    await expect(dictionary(rows)).toMatchFileSnapshot(join(root, 'docs/analyse/data-dictionary.md'));
  });
});

function dictionary(columns: readonly Column[]): string {
  const marts = [...new Set(columns.map(({ mart }) => mart))].sort();
  const chapters = marts.map((mart) => chapter(columns.filter((column) => column.mart === mart)));
  return [
    '# Data dictionary',
    '',
    'What analysts read: the schema `marts`. Written from the comments in the database; psql shows the same with `\\d+ marts.*`.',
    ...chapters,
    '',
  ].join('\n');
}

function chapter(columns: readonly Column[]): string {
  const [{ mart, explanation }] = columns as [Column];
  const rows = columns.flatMap(({ name, type, meaning }) => (name ? [`| \`${name}\` | ${type} | ${meaning} |`] : []));
  const table = rows.length > 0 ? ['', '| column | type | meaning |', '|---|---|---|', ...rows] : [];
  return ['', `## marts.${mart}`, '', explanation, ...table].join('\n');
}

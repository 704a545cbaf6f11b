import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { dbtSources, type MartColumn, type Relation } from './dbt-files.ts';
import { item, wrapped } from './reference.ts';
import { root } from './source-files.ts';

describe('data dictionary', () => {
  const database = useDatabase();

  it('the data dictionary repeats the comments in the database (-u rewrites it)', async () => {
    const { rows } = await database.db.query<MartColumn & Record<string, unknown>>(`
      select c.relname::text as mart, obj_description(c.oid, 'pg_class') as explanation, a.attname as name,
        format_type(a.atttypid, a.atttypmod) as type, col_description(c.oid, a.attnum) as meaning
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'marts'::regnamespace and c.relkind in ('v', 'm')
      union all
      select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', obj_description(p.oid, 'pg_proc'),
        null, null, null
      from pg_proc p
      where p.pronamespace = 'marts'::regnamespace`);
    const relations = await rowsOf<Relation>(database.db, 'select * from marts.relation order by mart');
    await expect(dictionary(rows, relations)).toMatchFileSnapshot(join(root, 'docs/analyse/data-dictionary.md'));
    await expect(dbtSources(rows, relations)).toMatchFileSnapshot(join(root, 'integrations/dbt/models/sources.yml'));
  });
});

function dictionary(columns: readonly MartColumn[], relations: readonly Relation[]): string {
  const marts = [...new Set(columns.map(({ mart }) => mart))].sort();
  const chapters = marts.map((mart) =>
    chapter(
      columns.filter((column) => column.mart === mart),
      relations.find((relation) => relation.mart === mart),
    ),
  );
  return [
    '# Data dictionary',
    '',
    wrapped(
      'This page lists every view and function of the schema `marts` with all columns. It is generated from the ' +
        'comments in the database; `\\d+ marts.*` in psql shows the same.',
    ),
    ...chapters,
    '',
  ].join('\n');
}

function chapter(columns: readonly MartColumn[], key: Relation | undefined): string {
  const [{ mart, explanation }] = columns as [MartColumn];
  const rows = columns.flatMap(({ name, type, meaning }) => (name ? [item(`\`${name}\` (${type}): ${meaning}`)] : []));
  const keyed = key ? ['', wrapped(`Key: \`${key.columns.replaceAll(', ', '`, `')}\`.`)] : [];
  return ['', ...titled(mart), '', wrapped(explanation), ...keyed, ...(rows.length > 0 ? ['', ...rows] : [])].join(
    '\n',
  );
}

/** The heading; the parameters of a function go below it. */
function titled(mart: string): string[] {
  const [name, parameters] = mart.split(/\(/);
  return parameters === undefined
    ? [`## marts.${name}`]
    : [`## marts.${name}()`, '', wrapped(`Parameters: \`${parameters.replace(/\)$/, '').replaceAll(', ', '`, `')}\`.`)];
}

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { useDatabase } from '../support/database.ts';
import { item, wrapped } from './reference.ts';
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

  it('the data dictionary repeats the comments in the database (-u rewrites it)', async () => {
    const { rows } = await database.db.query<Column & Record<string, unknown>>(`
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
    await expect(dictionary(rows)).toMatchFileSnapshot(join(root, 'docs/analyse/data-dictionary.md'));
    await expect(dbtSources(rows)).toMatchFileSnapshot(join(root, 'docs/analyse/bi/dbt/sources.yml'));
  });
});

/** The views of marts as sources of dbt. A snapshot that was written is fresh, so the source warns after a day. */
function dbtSources(columns: readonly Column[]): string {
  const views = columns.filter(({ name }) => name !== null);
  const tables = [...new Set(views.map(({ mart }) => mart))].sort().map((mart) => {
    const own = views.filter((column) => column.mart === mart);
    const freshness = { loaded_at_field: 'updated_at', freshness: { warn_after: { count: 26, period: 'hour' } } };
    return {
      ...{ name: mart, description: own[0]!.explanation, ...(mart === 'snapshot' ? { config: freshness } : {}) },
      columns: own.map(({ name, type, meaning }) => ({ name, description: meaning, data_type: type })),
    };
  });
  const about = 'Pricebook: prices, promotions and stock of a supermarket by night; null means unknown.';
  const sources = [{ name: 'pricebook', description: about, schema: 'marts', tables }];
  return `# Generated from the comments of the database.\n${stringify({ version: 2, sources }, { lineWidth: 110 })}`;
}

function dictionary(columns: readonly Column[]): string {
  const marts = [...new Set(columns.map(({ mart }) => mart))].sort();
  const chapters = marts.map((mart) => chapter(columns.filter((column) => column.mart === mart)));
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

function chapter(columns: readonly Column[]): string {
  const [{ mart, explanation }] = columns as [Column];
  const rows = columns.flatMap(({ name, type, meaning }) => (name ? [item(`\`${name}\` (${type}): ${meaning}`)] : []));
  return ['', ...titled(mart), '', wrapped(explanation), ...(rows.length > 0 ? ['', ...rows] : [])].join('\n');
}

/** The heading; the parameters of a function go below it. */
function titled(mart: string): string[] {
  const [name, parameters] = mart.split(/\(/);
  return parameters === undefined
    ? [`## marts.${name}`]
    : [`## marts.${name}()`, '', wrapped(`Parameters: \`${parameters.replace(/\)$/, '').replaceAll(', ', '`, `')}\`.`)];
}

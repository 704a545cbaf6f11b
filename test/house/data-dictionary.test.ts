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

const core =
  'snapshot as_of dim_product dim_category bridge_product_category dim_store fct_price_daily fct_price_change ' +
  'fct_availability_change fct_promotion_check fct_region_daily fct_category_daily price_index';
const nameOf = (mart: string) => mart.split('(')[0]!;

function dictionary(columns: readonly MartColumn[], relations: readonly Relation[]): string {
  const marts = [...new Set(columns.map(({ mart }) => mart))].sort();
  const of = (name: string) => columns.filter(({ mart }) => mart === name);
  const first = core.split(' ').map((name) => marts.find((mart) => nameOf(mart) === name)!);
  const others = marts.filter((mart) => !first.includes(mart));
  const contents = (title: string, list: readonly string[]) =>
    ['', title, '', ...list.map((name) => inContents(of(name)[0]!))].join('\n');
  return [
    '# Data dictionary',
    '',
    wrapped(
      'This page lists every view and function of the schema `marts`; its columns fold out. It is generated from the ' +
        'comments in the database; `\\d+ marts.*` in psql shows the same.',
    ),
    contents('What most questions need, and what a row is:', first),
    contents('All others:', others),
    ...[...first, ...others].map((name) => chapter(of(name), relations)),
    '',
  ].join('\n');
}

/** A link with what a row is, which the comment says first. */
const inContents = ({ mart, explanation }: MartColumn) =>
  item(`[${nameOf(mart)}](#marts${nameOf(mart)}): ${explanation.replace('One row is ', '').split(/[.:;](?:\s|$)/)[0]}`);

/** A page of this part as a link. */
const linked = (text: string) => text.replace(/docs\/analyse\/([\w-]+)\.md/g, '[$1]($1.md)');

function chapter(columns: readonly MartColumn[], relations: readonly Relation[]): string {
  const [{ mart, explanation }] = columns as [MartColumn];
  const key = relations.find((relation) => relation.mart === mart);
  const rows = columns.flatMap(({ name, type, meaning }) =>
    name ? [item(`\`${name}\` (${type}): ${linked(meaning!)}`)] : [],
  );
  const keyed = key ? ['', wrapped(`Key: \`${key.columns.replaceAll(', ', '`, `')}\`.`)] : [];
  const folded = ['', '<details>', `<summary>${rows.length} columns</summary>`, '', ...rows, '', '</details>'];
  return ['', ...titled(mart), '', wrapped(linked(explanation)), ...keyed, ...(rows.length > 0 ? folded : [])].join(
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

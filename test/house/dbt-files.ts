import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { filesBelow, readText, root } from './source-files.ts';

/** A column of a view, or a function, with the comments of the database. */
export interface MartColumn {
  readonly mart: string;
  readonly explanation: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
}

/** A row of marts.relation. */
export interface Relation {
  readonly kind: 'key' | 'reference';
  readonly mart: string;
  readonly columns: string;
  readonly to_mart: string | null;
  readonly to_column: string | null;
}

/** Columns that restrict a test to the last nights, the best first. */
const nights = ['snapshot_date', 'since', 'period_start', 'week_starts_on', 'valid_from', 'spent_on'];

/** The views of marts as sources of dbt, with a test for each key and reference. */
export function dbtSources(columns: readonly MartColumn[], relations: readonly Relation[]): string {
  const views = columns.filter(({ name }) => name !== null);
  const tables = [...new Set(views.map(({ mart }) => mart))].sort().map((mart) => {
    const own = views.filter((column) => column.mart === mart);
    const of = relations.filter((relation) => relation.mart === mart);
    const night = nights.find((name) => own.some((column) => column.name === name));
    const recent = night && { config: { where: `${night} >= current_date - {{ var('pricebook_test_days') }}` } };
    const keys = of
      .filter(({ kind }) => kind === 'key')
      .map((key) => ({ unique_key: { arguments: { columns: key.columns.split(', ') }, ...recent } }));
    const references = (name: string | null) =>
      of
        .filter(({ kind, columns }) => kind === 'reference' && columns === name)
        .map(({ to_mart, to_column }) => ({
          relationships: { arguments: { to: `source('pricebook', '${to_mart}')`, field: to_column }, ...recent },
        }));
    return {
      ...{ name: mart, description: own[0]!.explanation, ...(mart === 'snapshot' && { config: freshness }) },
      data_tests: keys,
      columns: own.map(({ name, type, meaning }) => ({
        ...{ name, description: meaning, data_type: type },
        ...(references(name).length > 0 && { data_tests: references(name) }),
      })),
    };
  });
  const about = 'Pricebook: prices, promotions and stock of a supermarket by night; null means unknown.';
  const sources = [{ name: 'pricebook', description: about, schema: 'marts', tables }];
  return written('the comments of the database and marts.relation', { version: 2, sources });
}

/** Warns after a day without a night. Models that read the snapshot follow `source_status:fresher+`. */
const freshness = { loaded_at_field: 'updated_at', freshness: { warn_after: { count: 26, period: 'hour' } } };

const notebooks = ['pandas', 'polars', 'r'];

/** The pages about other tools as exposures, with the marts that their statements read. */
export function dbtExposures(): string {
  const folder = 'docs/analyse/bi';
  const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  const exposures = pages.flatMap((page) => {
    const name = page.replace('.md', '').replaceAll('-', '_');
    const tool = page.replace('.md', '');
    const files = tool === 'dbt' ? [] : filesBelow(`integrations/${tool}`);
    const texts = [readText(`${folder}/${page}`), ...files.map(({ text }) => text)];
    const marts = new Set(
      texts.flatMap((text) => [...text.matchAll(/(?:from|join) marts\.(\w+)\b(?!\()/g)].map(([, mart]) => mart)),
    );
    if (['README', 'copies', 'dbt'].includes(name) || marts.size === 0) return [];
    const label = /^# (.+)/.exec(texts[0]!)![1];
    return {
      ...{
        name,
        label,
        type: notebooks.includes(name) ? 'notebook' : 'dashboard',
        description: `The statements of ${folder}/${page}.`,
      },
      owner: { name: 'Pricebook' },
      depends_on: [...marts].sort().map((mart) => `source('pricebook', '${mart}')`),
    };
  });
  return written(`the statements in ${folder}`, { version: 2, exposures });
}

const written = (from: string, content: unknown) =>
  `# Generated from ${from}.\n${stringify(content, { lineWidth: 110, aliasDuplicateObjects: false })}`;

import { basename } from 'node:path';
import { filesBelow, readText } from '../house/source-files.ts';

/** A statement as a tool sends it, from a page or file of docs/analyse/bi. */
export interface BiStatement {
  readonly from: string;
  readonly sql: string;
}

/** Values that a person chose in the tool. */
export interface Chosen {
  readonly since: string;
  readonly until: string;
  /** Their paths. */
  readonly departments: readonly string[];
}

/** The text of each block of a language on a page, those of lists included. */
export const blocksOf = (page: string, language: string): string[] =>
  [...readText(page).matchAll(/^ *```([\w-]+)\n([\s\S]*?)^ *```/gm)]
    .filter(([, kind]) => kind === language)
    .map(([, , block]) => block!);

/** The statements of pages whose tool puts something in their place, with everything that is optional and without. */
export function templatesOf(page: string, chosen: Chosen): BiStatement[] {
  return blocksOf(page, 'sql-template').flatMap((block) => {
    const forms = [block.replaceAll(/\[\[|\]\]|\{%[\s\S]*?%\}/g, '')];
    forms.push(block.replaceAll(/\[\[[\s\S]*?\]\]|\{% if[\s\S]*?\{% endif %\}/g, ''));
    return [...new Set(forms)].map((form) => ({ from: page, sql: expand(form, chosen) }));
  });
}

/** An incremental model of the dbt package: its first run, and a run over an existing table. */
export interface DbtModel {
  readonly table: string;
  readonly whole: string;
  readonly next: string;
}

/** The incremental models of the dbt package, as tables of a schema. */
export function dbtModels(schema: string): DbtModel[] {
  const nobody: Chosen = { since: '', until: '', departments: [] };
  return filesBelow('integrations/dbt/models', '.sql')
    .filter(({ text }) => text.includes('is_incremental()'))
    .map(({ path, text }) => {
      const table = `${schema}.${basename(path, '.sql')}`;
      return {
        table,
        whole: expand(text.replaceAll(/\{% if[\s\S]*?\{% endif %\}/g, ''), nobody),
        next: expand(text.replaceAll(/\{%[\s\S]*?%\}/g, '').replaceAll('{{ this }}', table), nobody),
      };
    });
}

/** The strings of SQL in programs of a page, with values for their parameters. */
export function stringsOf(page: string, chosen: Chosen): BiStatement[] {
  const quoted = /text\("""([\s\S]*?)"""\)|r"\(([\s\S]*?)\)"|NativeQuery\(Source, "([^"]*)"/g;
  const programs = ['python', 'r', 'powerquery'].flatMap((language) => blocksOf(page, language)).join('\n');
  return [...programs.matchAll(quoted)].map(([, python, r, m]) => ({
    from: page,
    sql: (python ?? r ?? m)!
      .replaceAll(/:region\b|\$1\b/g, `'uk'`)
      .replaceAll(/(?<!:):since\b|\$2\b/g, `'${chosen.since}'`),
  }));
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly rawSql: string }[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
}

/** Statements of a Grafana dashboard: variables, then panels. */
export function dashboardStatements(path: string, chosen: Chosen): BiStatement[] {
  const { panels, templating } = JSON.parse(readText(path)) as Dashboard;
  const variables = templating.list.map(({ name, query }) => ({ from: `variable ${name}`, sql: query }));
  const targets = panels.flatMap(({ title, targets }) => targets.map(({ rawSql }) => ({ from: title, sql: rawSql })));
  return [...variables, ...targets].map(({ from, sql }) => ({ from, sql: expand(sql, chosen) }));
}

/** Values that the tools insert for their placeholders. */
function expand(text: string, { since, until, departments }: Chosen): string {
  const from = `'${since}T00:00:00Z'`;
  const to = `'${until}T23:59:59Z'`;
  const paths = departments.map((path) => `'${path.replaceAll("'", "''")}'`);
  return text
    .replaceAll(/\$__timeFilter\((\w+)\)/g, `$1 BETWEEN ${from} AND ${to}`)
    .replaceAll(/\$\{region\}/g, 'uk')
    .replaceAll('$__timeFrom()', from)
    .replaceAll(/\$\{department\}/g, paths.join(','))
    .replaceAll(/\{\{ config\([^}]*\) \}\}/g, '')
    .replaceAll(/\{\{ source\('pricebook', '(\w+)'\) \}\}/g, 'marts.$1')
    .replaceAll(/\{\{ filter_values\('region', 'uk'\) \| where_in \}\}/g, `('uk')`)
    .replaceAll('{{snapshot_date}}', `"marts"."fct_region_daily"."snapshot_date" >= date ${from}`)
    .replaceAll('{{region}}', `'uk'`)
    .replaceAll('{{since}}', `date '${since}'`)
    .replaceAll('{{department}}', paths[0]!)
    .replaceAll('<Parameters.Region>', `'uk'`)
    .replaceAll('<Parameters.Since>', `date '${since}'`);
}

import { is } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';
import { type AnyPgColumn, getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../src/db/tables/index.ts';

const casing = new CasingCache('snake_case');

const configs = Object.values(tables)
  .filter((table) => is(table, PgTable))
  .map((table) => getTableConfig(table as PgTable))
  .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

type Config = ReturnType<typeof getTableConfig>;

/** docs/contribute/tables.md: a diagram of each schema, from `src/db/tables`. */
export function tableDiagrams(): string {
  const schemas = [...new Set(configs.map(({ schema }) => schema))];
  const sections = schemas.map((schema) => {
    const own = configs.filter((config) => config.schema === schema);
    return `## ${schema}\n\n${diagramOf(own)}\n`;
  });
  return ['# Tables\n', introduction, ...sections].join('\n');
}

const introduction = [
  'All tables with their keys, a diagram per schema: `PK` marks the primary key, `FK` a column that refers to another',
  'table. `src/db/tables` has all columns and explains them; `npm run db:baseline` draws the diagrams from it.\n',
].join('\n');

function diagramOf(own: readonly Config[]): string {
  const lines = own.flatMap((config) => [...entityOf(config), ...relationsOf(config)]);
  return ['```mermaid', 'erDiagram', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

function entityOf(config: Config): string[] {
  const primary = config.columns.filter((column) => column.primary);
  const keys = new Set([...primary, ...config.primaryKeys.flatMap(({ columns }) => columns)].map(columnName));
  const referring = new Set(config.foreignKeys.flatMap((key) => key.reference().columns).map(columnName));
  const columns = config.columns.flatMap((column) => {
    const name = columnName(column);
    const marks = [...(keys.has(name) ? ['PK'] : []), ...(referring.has(name) ? ['FK'] : [])].join(', ');
    if (marks === '') return [];
    const type = column
      .getSQLType()
      .replace(' with time zone', 'tz')
      .replace(/\(.*\)/, '')
      .replaceAll(' ', '_');
    return [`  ${type} ${name} ${marks}`];
  });
  return [`"${nameOf(config)}" {`, ...columns, '}'];
}

function relationsOf(config: Config): string[] {
  return config.foreignKeys.map((key) => {
    const { columns, foreignTable } = key.reference();
    const names = columns.map(columnName).join(', ');
    return `"${nameOf(getTableConfig(foreignTable))}" ||--o{ "${nameOf(config)}" : "${names}"`;
  });
}

const columnName = (column: AnyPgColumn): string => casing.getColumnCasing(column);

function nameOf({ schema, name }: Config): string {
  return `${schema}.${name}`;
}

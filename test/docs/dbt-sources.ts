import { parse } from 'yaml';
import { readText } from '../house/source-files.ts';

interface Arguments {
  readonly column_name?: string;
  readonly values?: readonly (string | number)[];
  readonly to?: string;
  readonly field?: string;
}

interface Settings {
  readonly arguments?: Arguments;
  readonly config?: { readonly where?: string };
}

type DataTest = string | Readonly<Record<string, Settings>>;

interface Column {
  readonly name: string;
  readonly data_tests?: readonly DataTest[];
}

interface Table {
  readonly name: string;
  readonly identifier?: string;
  readonly config?: { readonly loaded_at_field: string; readonly freshness: { readonly filter: string } };
  readonly data_tests?: readonly DataTest[];
  readonly columns?: readonly Column[];
}

/** A statement that dbt makes of a source. */
export interface SourceStatement {
  readonly name: string;
  readonly sql: string;
}

/** The tables that a file of sources declares. */
export function sourceTables(path: string): readonly Table[] {
  const { sources } = parse(readText(path)) as { sources: readonly { schema: string; tables: readonly Table[] }[] };
  return sources.filter(({ schema }) => schema === 'marts').flatMap(({ tables }) => tables);
}

export const martOf = ({ name, identifier }: Table): string => identifier ?? name;

/** Queries of `dbt test`: each returns the failing rows. */
export function dataTests(tables: readonly Table[]): SourceStatement[] {
  return tables.flatMap((table) => {
    const ofTable = (table.data_tests ?? []).map((test) => ({ test, column: '' }));
    const ofColumns = (table.columns ?? []).flatMap(({ name, data_tests = [] }) =>
      data_tests.map((test) => ({ test, column: name })),
    );
    return [...ofTable, ...ofColumns].map(({ test, column }) => asked(martOf(table), column, test));
  });
}

/** Queries of `dbt source freshness`. */
export const freshnessOf = (tables: readonly Table[]): SourceStatement[] =>
  tables.flatMap((table) =>
    table.config
      ? [
          {
            name: table.name,
            sql: `select max(${table.config.loaded_at_field}) as max_loaded_at
              from marts.${martOf(table)} where ${table.config.freshness.filter}`,
          },
        ]
      : [],
  );

function asked(mart: string, column: string, test: DataTest): SourceStatement {
  const [kind, settings] = typeof test === 'string' ? [test, {} as Settings] : Object.entries(test)[0]!;
  const { values = [], to = '', field = '', column_name: expression = column } = settings.arguments ?? {};
  const rows = `(select * from marts.${mart} where ${settings.config?.where ?? 'true'}) as tested`;
  const parent = /^source\('pricebook', '(\w+)'\)$/.exec(to)?.[1];
  const failing: Readonly<Record<string, string>> = {
    not_null: `select ${expression} from ${rows} where ${expression} is null`,
    unique: `select ${expression} from ${rows} where ${expression} is not null group by 1 having count(*) > 1`,
    accepted_values: `select ${expression} from ${rows}
      where ${expression}::text not in (${values.map((value) => `'${value}'`).join(', ')})`,
    relationships: `select ${expression} from ${rows}
      where ${expression} is not null and ${expression} not in (select ${field} from marts.${parent})`,
  };
  const sql = failing[kind];
  if (!sql) throw new Error(`dbt has no test ${kind} without a package`);
  return { name: `${kind} of ${mart} ${expression}`, sql };
}

import { type Chart, charts, type Measure, marts, measures, statementOf } from './charts.ts';

/** A column of a view with the comments of the database. */
export interface MartColumn {
  readonly mart: string;
  readonly explanation: string;
  readonly name: string | null;
  readonly meaning: string | null;
}

export type Type = 'text' | 'whole' | 'decimal' | 'date' | 'instant' | 'yes-no';

export interface Column {
  readonly name: string;
  readonly type: Type;
  readonly about: string;
}

/** A mart, or the rows of a question. */
export interface Table {
  readonly name: string;
  readonly about: string;
  /** Null: the mart of this name. */
  readonly sql: string | null;
  readonly columns: readonly Column[];
  readonly measures: readonly Measure[];
  /** Column with the night of a row. */
  readonly night: string | null;
}

/** What the files of all tools are made from. */
export interface Model {
  readonly tables: readonly Table[];
  /** Each with the table that it reads. */
  readonly charts: readonly (Chart & { readonly table: Table })[];
}

/** What the database says about itself. */
export interface Book {
  readonly columns: readonly MartColumn[];
  /** Names and types of the columns of a statement. */
  describe(statement: string): Promise<readonly { readonly name: string; readonly type: Type }[]>;
}

/** Columns with a night, the one to filter by first. */
const nights = ['snapshot_date', 'period_start', 'week_starts_on', 'valid_from'];

export async function modelOf(book: Book): Promise<Model> {
  const meaningOf = (name: string, names: readonly string[]) =>
    names.map((mart) => book.columns.find((column) => column.mart === mart && column.name === name)?.meaning);
  const table = async (name: string, about: string, sql: string | null, night?: string): Promise<Table> => {
    const described = await book.describe(sql ?? `select * from marts.${name}`);
    const read = sql ? [...sql.matchAll(/marts\.(\w+)/g)].map(([, mart]) => mart!) : [name];
    return {
      ...{ name, about, sql },
      columns: described.map((column) => ({
        ...column,
        about: meaningOf(column.name, [...read, 'fct_price_change', 'dim_product']).find(Boolean) ?? '',
      })),
      measures: measures.filter((measure) => measure.table === name),
      night: night ?? nights.find((each) => described.some((column) => column.name === each)) ?? null,
    };
  };
  const tables: Table[] = [];
  for (const name of marts)
    tables.push(await table(name, book.columns.find(({ mart }) => mart === name)!.explanation, null));
  for (const { name, about, from, night } of charts)
    if ('question' in from) tables.push(await table(name, about, await statementOf(from), night));
  const readBy = ({ name, from }: Chart) => tables.find((each) => each.name === ('mart' in from ? from.mart : name))!;
  return { tables, charts: charts.map((chart) => ({ ...chart, table: readBy(chart) })) };
}

/** `products_listed`: "Products listed". */
export const labelOf = (name: string): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ');

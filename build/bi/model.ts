import { type Chart, charts, type Measure, marts, measures, statementOf } from './charts.ts';

/** A column of a view with the comments of the database. */
export interface MartColumn {
  readonly mart: string;
  readonly explanation: string;
  readonly name: string | null;
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

export type Type = 'text' | 'whole' | 'decimal' | 'date' | 'instant' | 'yes-no';

export interface Column {
  readonly name: string;
  readonly type: Type;
  readonly about: string;
}

export interface Reference {
  readonly column: string;
  readonly table: string;
  readonly key: string;
}

/** A mart, or the rows of a question. */
export interface Table {
  readonly name: string;
  readonly about: string;
  /** Null: the mart of this name. */
  readonly sql: string | null;
  readonly columns: readonly Column[];
  readonly references: readonly Reference[];
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
  readonly relations: readonly Relation[];
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
        about: meaningOf(column.name, [...read, 'price_move', 'dim_product']).find(Boolean) ?? '',
      })),
      references: described.flatMap((column) => referenceOf(book.relations, name, column.name)),
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

/** References of marts.relation within the model. A question's column refers as marts' columns of its name do. */
function referenceOf(relations: readonly Relation[], table: string, column: string): Reference[] {
  const named = relations.filter(({ kind, columns }) => kind === 'reference' && columns === column);
  const own = named.filter(({ mart }) => mart === table);
  const isQuestion = !marts.some((mart) => mart === table);
  const [found] = isQuestion ? named : own;
  const isInModel = marts.some((mart) => mart === found?.to_mart);
  if (found && isInModel) return [{ column, table: found.to_mart!, key: found.to_column! }];
  return column === 'period_start' ? [{ column, table: 'dim_date', key: 'date' }] : [];
}

/** `products_listed`: "Products listed". */
export const labelOf = (name: string): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ');

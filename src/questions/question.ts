import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import { findCategories } from './find-categories.ts';
import { readNamedProduct } from './named-product.ts';
import { type PageRows, type Sql, sql } from './sql.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Display format of a value; CSV and JSON contain the database value. A sentence is text that needs a wide column. */
export type Kind = 'text' | 'sentence' | 'number' | 'money' | 'percent' | 'date' | 'instant' | 'yes-no';

/** A column of the rows. */
export interface Column {
  /** Name in the statement, in CSV and in JSON. */
  readonly name: string;
  /** Heading of a table; by default the usual heading, or the name without underscores. */
  readonly heading?: string;
  readonly as?: Kind;
  /** Column with the currency of an amount; by default `currency`. */
  readonly currency?: string;
  /** Column shown if this one is null, such as the reason. */
  readonly or?: string;
  /** Decimals in a terminal; by default all. */
  readonly decimals?: number;
}

/** Runs a statement on the marts. */
export type Ask = (statement: Sql) => Promise<{ readonly rows: readonly Row[] }>;

/** Part of the rows to return. */
export interface Part {
  /** Null: all rows. */
  readonly limit: number | PageRows | null;
  readonly offset?: number;
  /** Restricts rows to these products by `product_key`; null: all products. */
  readonly among?: Sql | null;
  /** Omits columns that need a lookup per row. */
  readonly isShort?: boolean;
}

/** Limit clause of a statement. */
export const cut = ({ limit, offset = 0 }: Part): Sql =>
  limit === null ? sql`` : sql`limit ${limit} offset ${offset}`;

/** Parameters of a statement; pages may pass SQL instead of text, dates or numbers. */
export type Given<Parameters> = {
  readonly [Name in keyof Parameters]: string extends NonNullable<Parameters[Name]>
    ? Parameters[Name] | Sql
    : number extends NonNullable<Parameters[Name]>
      ? Parameters[Name] | Sql
      : Parameters[Name];
} & {
  /** Keys of the categories named by `category`. */
  readonly categoryKeys?: readonly number[] | undefined;
} & Row;

interface Definition<Parameters> {
  /** Fields in the order of CSV and JSON. */
  readonly columns: readonly Column[];
  /** Columns of a terminal table. */
  table(parameters: Parameters): readonly string[];
  /** Whether a terminal table shows all rows by default. */
  readonly isWhole?: boolean;
  /** Whether the question reads derived nights, so that nights still to be derived are missing. */
  readonly isDerived?: boolean;
  sql(parameters: Given<Parameters>, part: Part): Sql;
  /** Sets defaults that depend on the data, such as the last night. */
  settle?(parameters: Parameters, ask: Ask): Promise<Parameters & Row>;
  /** Fields of the JSON beside the rows; by default the parameters. */
  head?(parameters: Parameters & Row): Row;
  /** Message if there are no rows. */
  none(parameters: Parameters & Row, ask: Ask): string | Promise<string>;
  /** Messages printed after the rows. */
  notes?(parameters: Parameters & Row, ask: Ask): Promise<readonly string[]>;
}

/** A question to the marts. The command line, API, MCP tools and reference derive from it. */
export interface Question<Shape extends z.ZodRawShape = z.ZodRawShape>
  extends Definition<z.output<z.ZodObject<Shape>>> {
  /** In the order of the options. */
  readonly parameters: z.ZodObject<Shape>;
}

export function defineQuestion<Shape extends z.ZodRawShape>(
  definition: Definition<z.output<z.ZodObject<Shape>>> & { readonly parameters: Shape },
): Question<Shape> {
  return { ...definition, parameters: z.strictObject(definition.parameters) };
}

/** Common parameters of questions. */
export interface Parameters extends Record<string, unknown> {
  readonly region?: RegionCode | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly category?: string | undefined;
  readonly product?: string | undefined;
}

/** Throws `UsageInvalid` for contradictory parameters. Replaces a product's address by its id and region. */
export function checkParameters(parameters: Parameters): Parameters {
  const { since, until, product, region } = parameters;
  if (since !== undefined && until !== undefined && since > until)
    throw new UsageInvalid(`The dates are in the wrong order: since ${since}, until ${until}.`);
  return product === undefined ? parameters : { ...parameters, ...readNamedProduct(product, region) };
}

/** Resolves parameters by the marts. Throws `NothingFound` for an unknown category. */
export async function settleParameters(
  question: Question,
  parameters: Parameters,
  ask: Ask,
): Promise<Given<Parameters>> {
  const { category, region } = parameters;
  const regions = [region].flat();
  const only = regions.length === 1 ? regions[0] : undefined;
  const categoryKeys = category === undefined ? undefined : await findCategories(ask, only, category);
  return { ...((await question.settle?.(parameters, ask)) ?? parameters), categoryKeys };
}

/** Parameters for JSON; null if not given. */
export function headOf(question: Question, parameters: Row): Row {
  if (question.head) return question.head(parameters);
  return Object.fromEntries(Object.keys(question.parameters.shape).map((name) => [name, parameters[name] ?? null]));
}

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/(^|_)price$/, 'money'],
  [/_pct$/, 'percent'],
  [/_(on|date|start)$/, 'date'],
  [/_at$/, 'instant'],
  [/(^|_)title$|^description$/, 'sentence'],
];

const headings: Readonly<Record<string, string>> = {
  ...{ snapshot_date: 'Night', title: 'Product', description: 'Promotion' },
  ...{ unit_price: 'Per unit', unit_of_measure: 'Unit', loyalty_price: 'Members' },
};

/** Columns with default headings; the kind follows from the suffix of the name. */
export function fields(...names: readonly string[]): Column[] {
  return names.map((name) => ({ name, as: kinds.find(([ending]) => ending.test(name))?.[1] ?? 'text' }));
}

/** Columns of a question by name, in the given order. */
export function columnsOf({ columns }: { readonly columns: readonly Column[] }, ...names: readonly string[]): Column[] {
  return names.map((name) => columns.find((column) => column.name === name) ?? { name });
}

export function headingOf({ name, heading }: Column): string {
  const words = name.replaceAll('_', ' ');
  return heading ?? headings[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

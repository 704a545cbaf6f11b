import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import { findCategories } from './find-categories.ts';
import { readNamedProduct } from './named-product.ts';
import { type PageRows, type Sql, sql } from './sql.ts';

export type Row = Readonly<Record<string, unknown>>;

/**
 * How a value is written for people; CSV and JSON have it as the database has. A sentence is a text that needs room.
 */
export type Kind = 'text' | 'sentence' | 'number' | 'money' | 'percent' | 'date' | 'instant' | 'yes-no';

/** A field of the rows. */
export interface Column {
  /** Name in the statement, in CSV and in JSON. */
  readonly name: string;
  /** Heading in a table for people; by default the usual one, or the name without underscores. */
  readonly heading?: string;
  readonly as?: Kind;
  /** Column with the currency of an amount; by default `currency`. */
  readonly currency?: string;
  /** Column that is shown where this one is null, such as the reason. */
  readonly or?: string;
  /** Decimals in a terminal; by default all there are. */
  readonly decimals?: number;
}

/** Sends a statement to the marts. */
export type Ask = (statement: Sql) => Promise<{ readonly rows: readonly Row[] }>;

/** Which part of the rows is wanted. */
export interface Part {
  /** Null: all rows. */
  readonly limit: number | PageRows | null;
  readonly offset?: number;
  /** Rows with a `product_key`: only these products. Null: all products. */
  readonly among?: Sql | null;
  /** Without the columns that cost a look-up for each row. */
  readonly isShort?: boolean;
}

/** The end of a statement that is answered in parts. */
export const cut = ({ limit, offset = 0 }: Part): Sql =>
  limit === null ? sql`` : sql`limit ${limit} offset ${offset}`;

/** Parameters as a statement takes them: a page may put SQL in the place of a text, a date or a number. */
export type Given<Parameters> = {
  readonly [Name in keyof Parameters]: string extends NonNullable<Parameters[Name]>
    ? Parameters[Name] | Sql
    : number extends NonNullable<Parameters[Name]>
      ? Parameters[Name] | Sql
      : Parameters[Name];
} & {
  /** Keys of the categories that `category` names. */
  readonly categoryKeys?: readonly number[] | undefined;
} & Row;

interface Definition<Parameters> {
  /** Fields in the order of CSV and JSON. */
  readonly columns: readonly Column[];
  /** Names of the columns that a table in a terminal has room for. */
  table(parameters: Parameters): readonly string[];
  /** Whether a table in a terminal has all rows, too. */
  readonly isWhole?: boolean;
  /** Whether the answer follows from derived nights, so that nights still to be derived are missing. */
  readonly isDerived?: boolean;
  /** Columns that tell series apart, and the base and the value of each: drawn as lines of small bars in a terminal. */
  readonly series?: { readonly of: readonly string[]; readonly since: string; readonly value: string };
  sql(parameters: Given<Parameters>, part: Part): Sql;
  /** Replaces defaults that depend on the data, such as the last night. */
  settle?(parameters: Parameters, ask: Ask): Promise<Parameters & Row>;
  /** What JSON names beside the rows; by default the parameters. */
  head?(parameters: Parameters & Row): Row;
  /** Message when there are no rows. */
  none(parameters: Parameters & Row, ask: Ask): string | Promise<string>;
  /** Messages that explain the rows. */
  notes?(parameters: Parameters & Row, ask: Ask): Promise<readonly string[]>;
}

/** A question to the marts. The command line, the API, the pages of the explorer and the reference all render it. */
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

/** Parameters of any question. */
export interface Parameters extends Record<string, unknown> {
  readonly region?: RegionCode | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly category?: string | undefined;
  readonly product?: string | undefined;
}

/**
 * Throws `UsageInvalid` for parameters that contradict each other. A product's address is replaced by its id and
 * region.
 */
export function checkParameters(parameters: Parameters): Parameters {
  const { since, until, product, region } = parameters;
  if (since !== undefined && until !== undefined && since > until)
    throw new UsageInvalid(`The dates are in the wrong order: since ${since}, until ${until}.`);
  return product === undefined ? parameters : { ...parameters, ...readNamedProduct(product, region) };
}

/** Parameters with what the marts know of them. Throws `NothingFound` for a category that is not there. */
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

/** What is told beside the rows, null where a parameter is not given. */
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

/** Columns with the usual heading, and the kind that follows from the ending of their name. */
export function fields(...names: readonly string[]): Column[] {
  return names.map((name) => ({ name, as: kinds.find(([ending]) => ending.test(name))?.[1] ?? 'text' }));
}

/** Columns of a question by name, in the order given. */
export function columnsOf({ columns }: { readonly columns: readonly Column[] }, ...names: readonly string[]): Column[] {
  return names.map((name) => columns.find((column) => column.name === name) ?? { name });
}

export function headingOf({ name, heading }: Column): string {
  const words = name.replaceAll('_', ' ');
  return heading ?? headings[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

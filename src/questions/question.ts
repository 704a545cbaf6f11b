import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import { findCategories } from './find-categories.ts';
import { readNamedProduct } from './named-product.ts';
import { type PageRows, type Sql, sql } from './sql.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Values by kind of column, as a statement returns them; exact decimals are strings, dates are `YYYY-MM-DD`. */
export interface Values {
  text: string;
  /** Text that needs a wide column. */
  sentence: string;
  /** A whole number. */
  number: number;
  /** A whole number that identifies something. */
  key: number;
  decimal: string;
  /** An inexact number, such as degrees. */
  float: number;
  money: string;
  percent: string;
  date: string;
  instant: Date;
  'yes-no': boolean;
}

/** Type and display format of a value; CSV and JSON contain the database value. */
export type Kind = keyof Values;

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

/** A night by region, YYYY-MM-DD. */
export type Nights = Readonly<Record<string, string>>;

/** Runs a statement on the marts. */
export type Ask = (statement: Sql) => Promise<{ readonly rows: readonly Row[] }>;

/** Part of the rows to return. */
export interface Part {
  /** Null: all rows. */
  readonly limit: number | PageRows | null;
  readonly offset?: number | undefined;
  /** Values of the question's `key` in the row before the first. */
  readonly after?: Row | undefined;
  /** Restricts rows to these products by `product_key`; null: all products. */
  readonly among?: Sql | null;
  /** Omits columns that need a lookup per row. */
  readonly isShort?: boolean;
}

/** Limit clause of a statement. */
export const cut = ({ limit, offset = 0 }: Part): Sql =>
  limit === null ? sql`` : sql`limit ${limit} offset ${offset}`;

/** The earlier of two dates, of which the first may not be given. */
export const earlier = (date: string | undefined, night: string | undefined) =>
  date === undefined || (night !== undefined && night < date) ? night : date;

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

interface Definition<Parameters, Columns extends readonly Column[] = readonly Column[]> {
  /** Fields in the order of CSV and JSON. */
  readonly columns: Columns;
  /** Columns of a terminal table. */
  table(parameters: Parameters): readonly string[];
  /** Whether a terminal table shows all rows by default. */
  readonly isWhole?: boolean;
  /** Whether the question reads derived nights, so that nights still to be derived are missing. */
  readonly isDerived?: boolean;
  sql(parameters: Given<Parameters>, part: Part): Sql;
  /** Columns that order the rows and are unique together, where a page is found faster by them than by an offset. */
  readonly key?: readonly string[];
  /** Restricts the parameters to nights, so that the rows stay the same when a later one is published. */
  pin?(parameters: Parameters, nights: Nights): Parameters & Row;
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
export interface Question<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Columns extends readonly Column[] = readonly Column[],
> extends Definition<z.output<z.ZodObject<Shape>>, Columns> {
  /** In the order of the options. */
  readonly parameters: z.ZodObject<Shape>;
}

export function defineQuestion<Shape extends z.ZodRawShape, const Columns extends readonly Column[]>(
  definition: Definition<z.output<z.ZodObject<Shape>>, Columns> & { readonly parameters: Shape },
): Question<Shape, Columns> {
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
async function settleParameters(question: Question, parameters: Parameters, ask: Ask): Promise<Given<Parameters>> {
  const { category, region } = parameters;
  const regions = [region].flat();
  const only = regions.length === 1 ? regions[0] : undefined;
  const categoryKeys = category === undefined ? undefined : await findCategories(ask, only, category);
  return { ...((await question.settle?.(parameters, ask)) ?? parameters), categoryKeys };
}

/** The statement of a question for parameters as parsed, pinned to nights if it can be. */
export async function statementOf(question: Question, given: Row, part: Part, ask: Ask, nights?: Nights) {
  const checked = checkParameters(given);
  const pinned = nights && question.pin ? question.pin(checked, nights) : checked;
  const parameters = await settleParameters(question, pinned, ask);
  return { parameters, sql: question.sql(parameters, part) };
}

/** Parameters for JSON; null if not given. */
export function headOf(question: Question, parameters: Row): Row {
  if (question.head) return question.head(parameters);
  return Object.fromEntries(Object.keys(question.parameters.shape).map((name) => [name, parameters[name] ?? null]));
}

/** Kinds by the last word of a name. */
const kinds = {
  ...({ price: 'money', pct: 'percent', key: 'key', seq: 'key' } as const),
  ...({ on: 'date', date: 'date', start: 'date', at: 'instant', title: 'sentence', description: 'sentence' } as const),
};
type Endings = typeof kinds;
type KindOf<Name extends string> = {
  [Ending in keyof Endings]: Name extends Ending | `${string}_${Ending}` ? Endings[Ending] : never;
}[keyof Endings];
export interface Field<Name extends string> {
  readonly name: Name;
  readonly as: [KindOf<Name>] extends [never] ? 'text' : KindOf<Name>;
}

/** Columns that are never null, in whichever question. */
const known = [
  ...(['region', 'snapshot_date', 'product_id', 'product_key', 'currency', 'availability', 'on_promotion'] as const),
  ...(['old_price', 'new_price', 'changed_at', 'rule', 'event', 'route', 'since', 'until', 'tier'] as const),
  ...(['period', 'period_start', 'method', 'price_basis', 'base_start', 'month', 'week_starts_on'] as const),
  ...(['age_days', 'prices_at_risk', 'ended', 'censored_by_departure', 'censored_by_end', 'price_changes'] as const),
  ...(['uk_product_id', 'ie_product_id', 'uk_product_key', 'ie_product_key', 'uk_currency', 'ie_currency'] as const),
  ...(['kind', 'began_on', 'promotion_key', 'rank', 'products', 'is_asked', 'within_days', 'leader'] as const),
  ...(['endpoint', 'elements', 'runs', 'first_seen_at', 'last_seen_at', 'store_id'] as const),
];
type Known = (typeof known)[number];

export const isKnown = ({ name }: Column): boolean => (known as readonly string[]).includes(name);

/** A row of a question. */
export type RowOf<Asked extends { readonly columns: readonly Column[] }> = {
  readonly [Each in Asked['columns'][number] as Each['name']]:
    | Values[Each extends { readonly as: infer As extends Kind } ? As : 'text']
    | (Each['name'] extends Known ? never : null);
};

const headings: Readonly<Record<string, string>> = {
  ...{ snapshot_date: 'Night', title: 'Product', description: 'Promotion' },
  ...{ unit_price: 'Per unit', unit_of_measure: 'Unit', loyalty_price: 'Members' },
};

/** Columns with default headings; the kind follows from the last word of the name. */
export function fields<const Names extends readonly string[]>(
  ...names: Names
): { readonly [Place in keyof Names]: Field<Names[Place]> } {
  const kindOf = (name: string) => kinds[name.slice(name.lastIndexOf('_') + 1) as keyof Endings] ?? 'text';
  return names.map((name) => ({ name, as: kindOf(name) })) as never;
}

/** Columns of a question by name, in the given order. */
export function columnsOf({ columns }: { readonly columns: readonly Column[] }, ...names: readonly string[]): Column[] {
  return names.map((name) => columns.find((column) => column.name === name) ?? { name });
}

export function headingOf({ name, heading }: Column): string {
  const words = name.replaceAll('_', ' ');
  return heading ?? headings[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

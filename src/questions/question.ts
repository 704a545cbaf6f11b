import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import { type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Column, Row } from './columns.ts';
import { checkProducts, findCategories, readNamedProduct } from './named.ts';
import { named, type Sql, sql } from './sql.ts';

/** A night by region, YYYY-MM-DD. */
export type Nights = Readonly<Record<string, string>>;

/** Runs a statement on the marts. */
export type Ask = (statement: Sql) => Promise<{ readonly rows: readonly Row[] }>;

/** Part of the rows to return. */
export interface Slice {
  /** Null: all rows. */
  readonly limit: number | null;
  readonly offset?: number | undefined;
  /** Values of the question's `key` in the row before the first. */
  readonly after?: Row | undefined;
}

/** Parameters as parsed, and what the marts say of them. */
export type Given<Parameters> = Parameters & {
  /** Keys of the categories named by `category`. */
  readonly categoryKeys?: readonly number[] | undefined;
} & Row;

interface Definition<Parameters, Columns extends readonly Column[] = readonly Column[], Name extends string = string> {
  /** Name of the command, of the tool, and in addresses. */
  readonly name: Name;
  /** Completes "show …". */
  readonly about: string;
  /** Fields in the order of CSV and JSON. */
  readonly columns: Columns;
  /** Identity of a row in a feed: unique, and the same for as long as the row says the same. */
  readonly key: readonly NoInfer<Columns[number]['name']>[];
  /** Columns of a terminal table. */
  table(parameters: Parameters): readonly NoInfer<Columns[number]['name']>[];
  /** Whether a terminal table shows all rows by default. */
  readonly isWhole?: boolean;
  /** Whether the question reads derived nights, so that nights still to be derived are missing. */
  readonly isDerived?: boolean;
  /** The rows, at least with the columns that are not looked up, in any order and not cut: counts read no more. */
  rows(parameters: Given<Parameters>, slice: Slice): Sql;
  /** What `order by` names, in the statement of `rows`. */
  order(parameters: Given<Parameters>): Sql;
  /** Whether the rows are in the order of time, the oldest first: a command cuts them at the beginning. */
  readonly isInTime?: boolean;
  /** Joins that look up the columns with an alias, for the rows `asked` that a cut leaves. */
  lookUp?(parameters: Given<Parameters>): Sql;
  /** Whether `rows` begins behind `after`, because a page is found faster by the key than by an offset. */
  readonly isWalkedByKey?: boolean;
  /** Restricts the parameters to nights, so that the rows stay the same when a later one is published. */
  pin?(parameters: Parameters, nights: Nights): Parameters & Row;
  /** Sets defaults that depend on the data, such as the last night. */
  settle?(parameters: Parameters, ask: Ask): Promise<Parameters & Row>;
  /** Message if there are no rows. */
  none(parameters: Parameters & Row, ask: Ask): string | Promise<string>;
  /** Messages printed after the rows; `rows` has all of them. */
  notes?(parameters: Parameters & Row, ask: Ask, rows: Sql): Promise<readonly string[]>;
}

/** A question to the marts. The command line, API, MCP tools, feeds, pages and reference derive from it. */
export interface Question<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Columns extends readonly Column[] = readonly Column[],
  Name extends string = string,
> extends Definition<z.output<z.ZodObject<Shape>>, Columns, Name> {
  /** In the order of the options. */
  readonly parameters: z.ZodObject<Shape>;
}

export function defineQuestion<
  Shape extends z.ZodRawShape,
  const Columns extends readonly Column[],
  const Name extends string,
>(
  definition: Definition<z.output<z.ZodObject<Shape>>, Columns, Name> & { readonly parameters: Shape },
): Question<Shape, Columns, Name> {
  const none: typeof definition.none = async (given, ask) => (await noNight(given, ask)) ?? definition.none(given, ask);
  return { ...definition, parameters: z.strictObject(definition.parameters), none };
}

/** Message if no night lies between the dates of a question; null: one does, or the question has no dates. */
async function noNight({ region, since, date, until = date }: Row, ask: Ask): Promise<string | null> {
  const regions = [(region ?? regionCodes) as RegionCode].flat();
  const { rows } = await ask(sql`
    select min(snapshot_date) as first, max(snapshot_date) as last, coalesce(
      bool_or(snapshot_date between ${since ?? '-infinity'} and ${until ?? 'infinity'}), false) as is_known
    from marts.snapshot where region = any (${regions}::text[])`);
  const dates = `${since ? ` from ${since} on` : ''}${until ? ` up to ${until}` : ''}`;
  const { first, last, is_known: isKnown } = rows[0]!;
  if (isKnown || dates === '' || first === null) return null;
  return `There is no night of ${regions.join(' or ')}${dates}: the first is ${first}, the last ${last}.`;
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
  const { since, until, price_from: from, price_to: to, product, region } = parameters;
  if (since !== undefined && until !== undefined && since > until)
    throw new UsageInvalid(`The dates are in the wrong order: since ${since}, until ${until}.`);
  if (Number(from) > Number(to)) throw new UsageInvalid(`The prices are in the wrong order: from ${from} to ${to}.`);
  return product === undefined ? parameters : { ...parameters, ...readNamedProduct(product, region) };
}

/** Parses options as typed and returns those that were given. Throws `ZodError` or `UsageInvalid`. */
export const readTyped = (question: Question, typed: Row): Parameters =>
  checkParameters(question.parameters.parse(typed) as Parameters);

/** Parameters with what the marts say of them. Throws `NothingFound` for an unknown category or product. */
export async function settled(question: Question, given: Row, ask: Ask, nights?: Nights): Promise<Given<Parameters>> {
  const checked = checkParameters(given);
  const parameters: Parameters = nights && question.pin ? question.pin(checked, nights) : checked;
  const { category, region, product } = parameters;
  if (product !== undefined) await checkProducts(ask, region, product);
  const categoryKeys = category === undefined ? undefined : await findCategories(ask, region, category);
  return { ...((await question.settle?.(parameters, ask)) ?? parameters), categoryKeys };
}

/** The statement of a question for settled parameters: filter, order and cut, then look-ups. */
export function statementFor(question: Question, parameters: Given<Parameters>, slice: Slice): Sql {
  const { limit, offset = 0 } = slice;
  const cut = sql`${question.rows(parameters, slice)}
    order by ${question.order(parameters)}${limit === null ? sql`` : sql`\n    limit ${limit} offset ${offset}`}`;
  const [first, ...others] = question.columns.map(
    ({ name, of = 'asked', expression }) => sql`
      ${expression ? sql`${expression} as ${named(name)}` : sql`${named(of)}.${named(name)}`}`,
  );
  const select = sql`
    select ${others.reduce((list, one) => sql`${list},${one}`, first!)}`;
  if (!question.lookUp) return sql`${select}\n    from (${cut}\n    ) as asked`;
  return sql`${select}
    from (
      select found.*, row_number() over () as place
      from (${cut}
      ) as found
    ) as asked
    ${question.lookUp(parameters)}
    order by asked.place`;
}

/** All rows with the columns that need no look-up: for counts around a question. */
export function rowsFor({ columns, rows }: Question, parameters: Given<Parameters>): Sql {
  const added = columns.filter(({ expression, of }) => expression !== undefined && of === undefined);
  const more = added.reduce((list, { name, expression }) => sql`${list}, ${expression} as ${named(name)}`, sql``);
  return sql`
      select asked.*${more}
      from (${rows(parameters, { limit: null })}
      ) as asked`;
}

/** The statement of a question for parameters as parsed, pinned to nights if it can be. */
export async function statementOf(question: Question, given: Row, slice: Slice, ask: Ask, nights?: Nights) {
  const parameters = await settled(question, given, ask, nights);
  return { parameters, sql: statementFor(question, parameters, slice) };
}

/** Parameters for JSON; null if not given. */
export function headOf(question: Question, parameters: Row): Row {
  return Object.fromEntries(Object.keys(question.parameters.shape).map((name) => [name, parameters[name] ?? null]));
}

/** The earlier of two dates, of which the first may not be given. */
export const earlier = (date: string | undefined, night: string | undefined) =>
  date === undefined || (night !== undefined && night < date) ? night : date;

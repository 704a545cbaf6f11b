import type { JSX } from 'preact';
import { z } from 'zod';
import type { Column, Row } from '../questions/question.ts';
import type { Sql } from '../questions/sql.ts';
import type { Status } from '../questions/status.ts';
import type { Asset } from './assets.ts';
import type { NightTime } from './next-night.ts';

/** A statement whose rows are a table of the page, and its CSV and JSON. */
export interface Query<Answer = Row> {
  readonly caption: string;
  readonly sql: Sql;
  readonly columns: readonly Column[];
  /** What stands in the place of a table without rows. */
  readonly none?: string;
  /** Where a page shows so many rows of each part of a table: the part that a row belongs to. */
  partOf?(row: Answer): string;
  /** Only the type of a row. */
  readonly row?: Answer;
}

/** A query with what the marts said. */
export interface Table<Answer = Row> extends Query<Answer> {
  /** Its name within the page, and in `?table=` of the CSV. */
  readonly name: string;
  readonly rows: readonly Answer[];
  /** There is a next page of it. */
  readonly hasMore: boolean;
  /** Names of all columns, also those that are not shown. */
  readonly fields: readonly string[];
  /** Where the same rows are as CSV. */
  readonly csvHref: string;
}

export type Queries = Readonly<Record<string, Query<unknown>>>;
export type TablesOf<Asked extends Queries> = {
  readonly [Name in keyof Asked]: Asked[Name] extends Query<infer Answer> ? Table<Answer> : never;
};

/** What a page is drawn from. */
export interface Shown<Parameters, Asked extends Queries> {
  readonly parameters: Parameters;
  readonly tables: TablesOf<Asked>;
  /** The address of this page with other parameters; what is null falls back to its default. */
  hrefWith(changes: Readonly<Record<string, string | number | null>>): string;
  readonly at: Moment;
}

/** What a page knows beside the marts. */
export interface Moment {
  readonly now: Date;
  /** How things stand in the ledger; null on pages that do not ask for it. */
  readonly status: Status | null;
  readonly nightBeginsAt: NightTime;
}

interface PageDefinition<Shape extends z.ZodRawShape, Asked extends Queries> {
  readonly path: `/${string}`;
  /** In the navigation; a page without it is reached from others. */
  readonly nav?: string;
  /** One line: what question the page answers. */
  readonly about: string;
  /** What the address may say. Each has a default or is optional; an empty value is as none. */
  readonly parameters: Shape;
  /**
   * Whether `at.status` is wanted: what is crawled and spent now. Everything about products and prices comes from the
   * marts.
   */
  readonly usesStatus?: boolean;
  /** What adds to it in the browser; the page says the same without. */
  readonly script?: Asset;
  /** Asked side by side. */
  queries(parameters: z.output<z.ZodObject<Shape>>): Asked;
  title(parameters: z.output<z.ZodObject<Shape>>, tables: TablesOf<Asked>): string;
  /** Whether an empty page means that the thing it is about is not there: 404. */
  readonly isOfOneThing?: boolean;
  /** What is said in place of the view where there is nothing to show; null where there is. */
  empty?(tables: TablesOf<Asked>, parameters: z.output<z.ZodObject<Shape>>): string | null;
  view(shown: Shown<z.output<z.ZodObject<Shape>>, Asked>): JSX.Element;
}

/** A page as the server sees it, whatever its parameters and tables are. */
export interface Page {
  readonly path: `/${string}`;
  readonly nav: string | null;
  readonly about: string;
  readonly usesStatus: boolean;
  readonly isOfOneThing: boolean;
  readonly script: Asset | null;
  readonly parameters: z.ZodObject;
  queries(parameters: unknown): Queries;
  title(parameters: unknown, tables: Readonly<Record<string, Table<unknown>>>): string;
  empty(tables: Readonly<Record<string, Table<unknown>>>, parameters: unknown): string | null;
  view(shown: Shown<unknown, Queries>): JSX.Element;
}

/** A page of the explorer. From this come its HTML, its CSV, its JSON and their description. */
export function definePage<Shape extends z.ZodRawShape, Asked extends Queries>(
  definition: PageDefinition<Shape, Asked>,
): Page {
  const { path, nav = null, about } = definition;
  // Its own parameters and tables come back to it, and to nobody else.
  const given = definition as unknown as Page;
  return {
    path,
    nav,
    about,
    usesStatus: definition.usesStatus ?? false,
    isOfOneThing: definition.isOfOneThing ?? false,
    script: definition.script ?? null,
    parameters: z.strictObject(definition.parameters),
    queries: (parameters) => given.queries(parameters),
    title: (parameters, tables) => given.title(parameters, tables),
    empty: (tables, parameters) => definition.empty?.(tables as TablesOf<Asked>, parameters as never) ?? null,
    view: (shown) => given.view(shown),
  };
}

import type { JSX } from 'preact';
import { z } from 'zod';
import type { RegionCode } from '../base/model/index.ts';
import type { Delivery } from '../followers/watches/watch-lists.ts';
import type { Column, Row } from '../questions/question.ts';
import type { Sql } from '../questions/sql.ts';
import type { Status } from '../questions/status.ts';
import type { Asset } from './assets.ts';
import type { NightTime } from './next-night.ts';
import type { QueueDepth } from './queue-board.ts';

/** A statement and its columns. The rows are shown as a table and served as CSV and JSON. */
export interface Query<Answer = Row> {
  readonly caption: string;
  readonly sql: Sql;
  readonly columns: readonly Column[];
  /** Text shown if the table has no rows. */
  readonly none?: string;
  /** For tables in several parts: the part of a row. The row limit of a page applies to each part. */
  partOf?(row: Answer): string;
  /** Carries the type of a row; never set. */
  readonly row?: Answer;
}

/** A query with its rows. */
export interface Table<Answer = Row> extends Query<Answer> {
  /** Name within the page, used as `?table=` of the CSV. */
  readonly name: string;
  readonly rows: readonly Answer[];
  /** Whether there is a next page. */
  readonly hasMore: boolean;
  /** Names of all columns, including those not shown. */
  readonly fields: readonly string[];
  /** Address of the rows as CSV. */
  readonly csvHref: string;
  /** Address of the rows of all its pages as CSV; null: there is one page. */
  readonly wholeHref: string | null;
}

export type Queries = Readonly<Record<string, Query<unknown>>>;
export type TablesOf<Asked extends Queries> = {
  readonly [Name in keyof Asked]: Asked[Name] extends Query<infer Answer> ? Table<Answer> : never;
};

/** Input of a page's view. */
export interface Shown<Parameters, Asked extends Queries> {
  readonly parameters: Parameters;
  readonly tables: TablesOf<Asked>;
  /** Address of this page with changed parameters; null resets a parameter to its default. */
  hrefWith(changes: Readonly<Record<string, string | number | null>>): string;
  readonly at: Moment;
}

/** State that does not come from the marts. */
export interface Moment {
  readonly now: Date;
  /** State of the ledger; null on pages without `usesStatus`. */
  readonly status: Status | null;
  readonly nightBeginsAt: NightTime;
  /** Depths of the queues; null if they cannot be reached, and on pages without `usesJobs`. */
  readonly jobs: readonly QueueDepth[] | null;
  /** Token for the forms of a page with `hasForm`; otherwise null. */
  readonly csrf: string | null;
  /** How messages of watches are sent; null on pages without `hasForm`. */
  readonly delivery: Delivery | null;
  /** What was wrong in a form that was sent; null: nothing. */
  readonly refused: RefusedForm | null;
}

export interface RefusedForm {
  /** Name of the field; null: the whole form. */
  readonly field: string | null;
  readonly line: string;
}

interface PageDefinition<Shape extends z.ZodRawShape, Asked extends Queries> {
  readonly path: `/${string}`;
  /** Name in the navigation; without it, only other pages link to the page. */
  readonly nav?: string;
  /** Whether the page is about the program rather than about prices. */
  readonly isOperations?: boolean;
  /** One sentence: the question that the page answers. */
  readonly about: string;
  /** Parameters of the address. Each has a default or is optional; an empty value counts as missing. */
  readonly parameters: Shape;
  /** A value that changes the page between nights; pages about the program can always change. */
  readonly changesWith?: Sql;
  /** Whether the view has forms that write, so that browsers must not reuse the page. */
  readonly hasForm?: boolean;
  /** Whether the view needs `at.status` (open runs and spend). Products and prices come from the marts. */
  readonly usesStatus?: boolean;
  /** Whether the view needs `at.jobs`. */
  readonly usesJobs?: boolean;
  /** Script that enhances the page; the page works without it. */
  readonly script?: Asset;
  /** Statements of the page; they run in parallel. */
  queries(parameters: z.output<z.ZodObject<Shape>>): Asked;
  /** The heading: the answer of the page as a sentence. */
  title(parameters: z.output<z.ZodObject<Shape>>, tables: TablesOf<Asked>): string;
  /** A sentence below the heading; by default none. */
  lead?(parameters: z.output<z.ZodObject<Shape>>, tables: TablesOf<Asked>): string;
  /**
   * Address of the same in the other region, for a page about products or categories, whose keys differ between the
   * regions. By default the page itself with the other region.
   */
  elsewhere?(region: RegionCode, shown: Omit<Shown<z.output<z.ZodObject<Shape>>, Asked>, 'at'>): string;
  /** Whether the view contains the heading. */
  readonly hasOwnHeading?: boolean;
  /** The page is about one thing: if `empty` returns a text, the status is 404. */
  readonly isOfOneThing?: boolean;
  /** Text shown instead of the view if there is no data; null: show the view. */
  empty?(tables: TablesOf<Asked>, parameters: z.output<z.ZodObject<Shape>>): string | null;
  view(shown: Shown<z.output<z.ZodObject<Shape>>, Asked>): JSX.Element;
}

/** A page with its type parameters erased. */
export type Page = Omit<PageDefinition<z.ZodRawShape, Queries>, 'parameters'> & { readonly parameters: z.ZodObject };

/** Defines a page of the explorer. Its HTML and CSV derive from the definition. */
export function definePage<Shape extends z.ZodRawShape, Asked extends Queries>(
  definition: PageDefinition<Shape, Asked>,
): Page {
  // Type erasure is safe: the page receives only its own parameters and tables.
  return { ...definition, parameters: z.strictObject(definition.parameters) } as unknown as Page;
}

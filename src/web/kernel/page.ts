import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import type { RegionCode } from '../../base/model/index.ts';
import type { NightTimes } from '../../crawl/run/night-time.ts';
import type { Column, RowOf } from '../../questions/columns.ts';
import type { Question } from '../../questions/question.ts';
import type { Sql } from '../../questions/sql.ts';
import type { Status } from '../../questions/status.ts';
import type { Axis } from '../charts/steps.ts';
import type { QueueDepth } from '../queue-board.ts';
import type { HrefWith } from './addresses.ts';
import type { DrawnPrice, Line } from './product-line.ts';

type AnyQuestion = Question<z.ZodRawShape, readonly Column[]>;

/** Parameters of a question as parsed; one that is not given is undefined. */
export type ParametersOf<Of extends AnyQuestion> = {
  readonly [Name in keyof Of['parameters']['shape']]: z.output<Of['parameters']['shape'][Name]>;
};

/** Rows of a question on one page of the list. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly page: number;
  /** Number of the first row in the whole list. */
  readonly from: number;
  readonly hasMore: boolean;
}

/** Rows of products with what a list shows of each, and the nights of their small charts. */
export interface Lined<Row> extends Rows<Row & { readonly line: Line }> {
  readonly axis: Axis | null;
  /** What the small charts show. */
  readonly span: string;
}

export interface PartOf<Parameters> {
  /** Parameters in place of those of the address. */
  readonly given?: Partial<Parameters> | undefined;
  /** Only so many rows, whatever the page of the address; null: all. Counts are exact up to this number. */
  readonly limit?: number | null | undefined;
  /** What a count groups by, if not by the value alone. */
  readonly groups?: Sql;
  /** Only columns of these names: what others need is not read. */
  readonly columns?: readonly (string | undefined)[] | undefined;
}

/** Number of the rows with a value. */
export interface Counted {
  readonly value: string | null;
  readonly all_rows: number;
}

/** What does not come from the marts. */
export interface RequestState {
  readonly now: Date;
  /** Local times at which nights start. */
  readonly nightBeginsAt: NightTimes;
  readStatus(): Promise<Status>;
  /** Null: the queues cannot be reached. */
  readJobs(): Promise<readonly QueueDepth[] | null>;
}

/** Another statement of a page, and its columns. */
export interface Query<Columns extends readonly Column[]> {
  readonly caption: string;
  readonly columns: Columns;
  readonly sql: Sql;
}

/** A page while it is answered. What it asks is of one snapshot; the same statement is asked once. */
export interface Shown<Row, Parameters> {
  readonly question: AnyQuestion;
  readonly parameters: Parameters;
  /** Parameters as written in the address. */
  readonly written: Readonly<Record<string, string>>;
  /** Values of the page's own options, as written. */
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly at: RequestState;
  /** Address of this page with changed parameters, from its first page on; null leaves one out. */
  readonly hrefWith: HrefWith;
  rows(part?: PartOf<Parameters>): Promise<Rows<Row>>;
  lined(drawn: DrawnPrice, part?: PartOf<Parameters>): Promise<Lined<Row>>;
  /** Number of all rows, and of those that fulfil conditions about a row `asked`. */
  count<Name extends string = never>(
    conditions?: Readonly<Record<Name, Sql>>,
    of?: PartOf<Parameters>,
  ): Promise<Readonly<Record<Name | 'all_rows', number>>>;
  /** The same by the value of an expression; also aggregates other than counts. */
  countBy<Name extends string = never>(
    by: Sql,
    aggregates?: Readonly<Record<Name, Sql>>,
    of?: PartOf<Parameters>,
  ): Promise<readonly (Readonly<Record<Name, number>> & Counted)[]>;
  /** Text for no rows. */
  none(): Promise<string>;
  /** Any other statement; its SQL is shown with those of the page. */
  ask<const Columns extends readonly Column[]>(query: Query<Columns>): Promise<readonly RowOf<{ columns: Columns }>[]>;
  /** The same for another question. */
  of<Other extends AnyQuestion>(
    question: Other,
    given: Partial<z.input<Other['parameters']>>,
  ): Promise<Shown<RowOf<Other>, ParametersOf<Other>>>;
}

/** A part of a page: asks what it needs, then shows it. */
export type Block<Row, Parameters> = (page: Shown<Row, Parameters>) => ComponentChildren | Promise<ComponentChildren>;

/** A question with its parameters as written. */
export interface Answers {
  readonly question: AnyQuestion;
  readonly given: Readonly<Record<string, string>>;
}

interface Definition<Row, Parameters> {
  /** By default the name of the question. */
  readonly path?: `/${string}`;
  /** Name in the navigation; without it, only other pages link to the page. */
  readonly nav?: string;
  /** Whether the page is about the program rather than about prices. */
  readonly isOperations?: boolean;
  /** Whether it changes between nights, so that it is never kept. */
  readonly isLive?: boolean;
  /** Other questions that it answers, which have no page of their own: addresses of their names lead here. */
  readonly isOf?: readonly AnyQuestion[];
  /** The question that the page answers, if it is not that of its question. */
  readonly about?: string;
  /** Names of parameters that only change how the page looks. */
  readonly options?: readonly string[];
  /** The question and parameters of the formats below the page, if they are not its own. */
  answers?(page: Pick<Shown<Row, Parameters>, 'parameters' | 'options'>): Answers | null;
  /** Whether a block contains the heading. */
  readonly hasOwnHeading?: boolean;
  /** The heading: the answer as a sentence. */
  title(page: Shown<Row, Parameters>): string | Promise<string>;
  /** Address of the same in the other region, if it is not this page with the other region. */
  elsewhere?(page: Shown<Row, Parameters>, region: RegionCode): Promise<string>;
  lead?(page: Shown<Row, Parameters>): string | Promise<string>;
  readonly blocks: readonly Block<Row, Parameters>[];
}

/** A page with its types erased. */
export interface Page extends Definition<Record<string, unknown>, Record<string, unknown>> {
  readonly path: `/${string}`;
  readonly question: AnyQuestion;
}

export const namesOf = ({ question, isOf = [] }: Page) => [question, ...isOf].map(({ name }) => name);

/** A page of a question. Address, form, CSV, JSON, feed and SQL follow from the question. */
export const page = <Of extends AnyQuestion>(question: Of, definition: Definition<RowOf<Of>, ParametersOf<Of>>): Page =>
  // Erasure is safe: a page is answered only with rows and parameters of its own question.
  ({ path: `/${question.name}`, ...definition, question }) as unknown as Page;

/** A column that a question does not have: an expression about a row `asked` of it. */
export const added = <const Name extends string, const As extends NonNullable<Column['as']>>(
  name: Name,
  as: As,
  expression: Sql,
) => ({ name, as, expression });

/** The question with more columns. */
export function withColumns<
  Shape extends z.ZodRawShape,
  Columns extends readonly Column[],
  Name extends string,
  const More extends readonly Column[],
>(question: Question<Shape, Columns, Name>, ...more: More): Question<Shape, readonly [...Columns, ...More], Name> {
  return { ...question, columns: [...question.columns, ...more] };
}

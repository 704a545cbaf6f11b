import type { Row } from '../../base/format.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { type Ask, type Question, rowsFor, settled, statementFor } from '../../questions/question.ts';
import { named, type Sql, sql } from '../../questions/sql.ts';
import { axisOf, chartNights } from '../charts/steps.ts';
import { searchOf } from './addresses.ts';
import { type PartOf, type RequestState, type Shown, withColumns } from './page.ts';
import { type DrawnPrice, drawnPrices, lineColumn, nightsOfSparks } from './product-line.ts';
import { plainly, plural } from './words.ts';

const rowsOfPage = 25;

/** One answer to a request: a snapshot of the book, and the statements that were asked about it. */
export interface Session {
  readonly ask: Ask;
  readonly at: RequestState;
  /** Path of the page of a question. */
  pathOf(question: string): string;
  /** Captions and rows by the text of the statement. */
  readonly asked: Map<string, { readonly caption: string; readonly rows: Promise<readonly Row[]> }>;
}

interface Address {
  readonly path: string;
  readonly written: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string | undefined>>;
  readonly page?: number;
}

/** The same statement is asked once. */
function asker({ ask, asked }: Session) {
  return (caption: string, statement: Sql): Promise<readonly Row[]> => {
    const known = asked.get(statement.copy);
    if (known) return known.rows;
    const rows = ask(statement).then((answer) => answer.rows);
    asked.set(statement.copy, { caption, rows });
    return rows;
  };
}

/** What a page shows of a question, for parameters as parsed. */
export async function shownOf(
  session: Session,
  question: Question,
  given: Row,
  { path, written, options = {}, page: place = 1 }: Address,
): Promise<Shown<Row, Row>> {
  const askFor = asker(session);
  const parameters = await settled(question, given, session.ask);

  async function part(
    of: Question,
    caption: string,
    { given: more = {}, limit = rowsOfPage, columns }: PartOf<Row>,
    isPage: boolean,
  ) {
    const from = isPage ? place : 1;
    const start = (from - 1) * (limit ?? 0);
    // A short answer is asked for once, for its heading and all pages of its list.
    const isCut = limit !== null && !(isPage && of.isWhole);
    const statement = statementFor(
      columns ? { ...of, columns: of.columns.filter(({ name }) => columns.includes(name)) } : of,
      { ...parameters, ...more },
      isCut ? { limit: limit + 1, offset: start } : { limit: null },
    );
    const found = await askFor(caption, statement);
    const rows = isCut ? found : found.slice(start);
    const most = limit ?? rows.length;
    return { rows: rows.slice(0, most), page: from, from: start + 1, hasMore: rows.length > most };
  }

  const counted = (by: Sql | null, aggregates: Readonly<Record<string, Sql>>, of: PartOf<Row>) => {
    const { given: more, limit, groups = sql`1` } = of;
    const rows = rowsFor(question, { ...parameters, ...more });
    const list = Object.entries(aggregates).reduce(
      (all, [name, one]) => sql`${all}, ${one} as ${named(name)}`,
      sql`count(*)::int as all_rows`,
    );
    return askFor(
      'Counts',
      sql`
      select ${by ? sql`${by} as value, ` : sql``}${list}
      from (${rows}${limit == null ? sql`` : sql`\n      limit ${limit + 1}`}
      ) as asked${by ? sql`\n      group by ${groups}\n      order by all_rows desc, value` : sql``}`,
    );
  };
  const countsOf = (conditions: Readonly<Record<string, Sql>>) =>
    Object.fromEntries(
      Object.entries(conditions).map(([name, condition]) => [name, sql`(count(*) filter (where ${condition}))::int`]),
    );

  const shown = {
    question,
    parameters,
    written,
    options,
    at: session.at,
    hrefWith: (changes: Row) => path + searchOf({ ...written, ...options, ...changes } as never),
    rows: (one: PartOf<Row> = {}) => part(question, question.about, one, one.limit === undefined),
    async lined(drawn: DrawnPrice, one: PartOf<Row> = {}) {
      const key = question.columns.find(({ name }) => name === 'product_key');
      const line = lineColumn(key?.expression ?? sql`${named(key?.of ?? 'asked')}.product_key`, drawn);
      const found = await part(withColumns(question, line), question.about, one, one.limit === undefined);
      const region = (parameters.region ?? found.rows[0]?.['region'] ?? 'uk') as RegionCode;
      const nights = await askFor('Complete nights of the small charts', nightsOfSparks(region));
      const dates = chartNights(nights.map((night) => String(night['snapshot_date'])));
      const span = `${drawnPrices[drawn].name}, ${plural(nights.length, 'night')}`;
      return { ...found, axis: dates && axisOf(dates), span };
    },
    count: async (conditions = {}, of: PartOf<Row> = {}) => (await counted(null, countsOf(conditions), of))[0],
    countBy: (by: Sql, aggregates = {}, of: PartOf<Row> = {}) => counted(by, aggregates, of),
    none: async () => (place > 1 ? 'There are no more rows.' : plainly(await question.none(parameters, session.ask))),
    ask: ({ caption, sql: statement }: { caption: string; sql: Sql }) => askFor(caption, statement),
    of: (other: Question, more: Row) =>
      shownOf(session, other, other.parameters.parse(more), {
        path: session.pathOf(other.name),
        written: Object.fromEntries(
          Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
        ),
      }),
  };
  // The types of rows are erased: see `page`.
  return shown as unknown as Shown<Row, Row>;
}

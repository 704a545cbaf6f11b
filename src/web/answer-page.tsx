import { csvRecord } from '../base/csv.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Row } from '../questions/question.ts';
import type { Reader } from '../questions/reader.ts';
import type { Moment, Page, Query, Table, TablesOf } from './page.ts';
import { queryString } from './parameters.ts';
import { withCode } from './with-code.tsx';

export type Tables = Readonly<Record<string, Table<unknown>>>;

/** Runs all queries of a page in parallel; results by query name. */
export async function askTables(
  page: Page,
  parameters: Record<string, unknown>,
  reader: Pick<Reader, 'ask'>,
): Promise<Tables> {
  const queries = Object.entries(page.queries(parameters));
  const first = queries[0]?.[0];
  const tables = await Promise.all(
    queries.map(async ([name, query]) => {
      const asked = await askTable(name, ofItsPage(query, parameters), reader);
      const csvHref = csvHrefOf(page, parameters, { table: name === first ? null : name });
      const hasPages = query.sql.rowsShown !== null && (asked.hasMore || Number(parameters['page']) > 1);
      const wholeHref = hasPages ? csvHrefOf(page, { ...parameters, page: null }, { table: name, rows: 'all' }) : null;
      return [name, { ...asked, csvHref, wholeHref }] as const;
    }),
  );
  return Object.fromEntries(tables);
}

/** Rows of a whole table in one CSV file: more take longer than a statement may. */
export const mostRows = 5_000;

/**
 * Runs one query of a page, for its CSV; the first one if `wanted` is null. Null: the page has no table of that name.
 */
export async function askOneTable(
  page: Page,
  parameters: Record<string, unknown>,
  { wanted, isWhole, reader }: { wanted: string | null; isWhole: boolean; reader: Reader },
): Promise<Answered | null> {
  const queries = page.queries(isWhole ? { ...parameters, page: 1 } : parameters);
  const name = wanted ?? Object.keys(queries)[0] ?? '';
  const query = Object.hasOwn(queries, name) ? queries[name] : undefined;
  return query ? askTable(name, isWhole ? { ...query, sql: query.sql.withRows(mostRows) } : query, reader) : null;
}

type Answered = Omit<Table<unknown>, 'csvHref' | 'wholeHref'>;

async function askTable(name: string, query: Query<unknown>, reader: Pick<Reader, 'ask'>): Promise<Answered> {
  const { rows, fields } = await reader.ask(query.sql);
  const shown = shownOf(query, rows);
  return { ...query, name, fields, rows: shown, hasMore: shown.length < rows.length };
}

/** Replaces the text of an empty table on page 2 and later. */
function ofItsPage(query: Query<unknown>, { page }: Record<string, unknown>): Query<unknown> {
  return query.sql.rowsShown === null || !(Number(page) > 1) ? query : { ...query, none: 'There are no more rows.' };
}

/** Drops the extra row that was read to find out whether there is a next page. */
function shownOf({ sql, partOf = () => '' }: Query<unknown>, rows: readonly unknown[]): readonly unknown[] {
  const most = sql.rowsShown;
  if (most === null) return rows;
  const counts = new Map<string, number>();
  return rows.filter((row) => {
    const part = partOf(row);
    const count = (counts.get(part) ?? 0) + 1;
    counts.set(part, count);
    return count <= most;
  });
}

/** CSV of the raw database values, with the column names of the statement, without the JSON of small charts. */
export function csvOf({ fields, rows }: Answered): string {
  const names = fields.filter((field) => field !== 'history' && field !== 'offers');
  const records = rows.map((row) => csvRecord(names.map((name) => (row as Record<string, unknown>)[name])));
  return csvRecord(names) + records.join('');
}

/** Heading and body of a page. */
export function viewOf(page: Page, parameters: Record<string, unknown>, tables: Tables, at: Moment) {
  const empty = page.empty?.(tables, parameters) ?? null;
  const shown = tables as TablesOf<Record<string, Query<unknown>>>;
  const hrefWith = (changes: Readonly<Record<string, string | number | null>>) =>
    page.path + queryString({ ...parameters, ...changes }, page.parameters);
  return {
    title: page.title(parameters, tables),
    lead: empty === null && page.lead?.(parameters, tables),
    hasOwnHeading: page.hasOwnHeading === true && empty === null,
    isAbsent: page.isOfOneThing === true && empty !== null,
    jsonHref: `/api/v1${nameOf(page)}${queryString(parameters, page.parameters)}`,
    region: parameters['region'] as RegionCode | undefined,
    regionHref: (region: RegionCode) => {
      if (region === parameters['region']) return hrefWith({});
      return page.elsewhere?.(region, { parameters, tables: shown, hrefWith }) ?? hrefWith({ region, page: null });
    },
    words: parameters['q'] as string | undefined,
    kept: keptBySearch(page, parameters),
    children:
      empty === null ? page.view({ parameters, tables: shown, hrefWith, at }) : <p class="empty">{withCode(empty)}</p>,
  };
}

/** What the search of the head keeps: the region, and on the page of products all its filters. */
function keptBySearch({ path, parameters: shape }: Page, parameters: Record<string, unknown>) {
  const { region } = parameters;
  const kept = path === '/products' ? { ...parameters, q: null, page: null, instead_of: null } : { region };
  return [...new URLSearchParams(queryString(kept, shape))];
}

/** Path of a page in addresses of its CSV and JSON. */
export function nameOf({ path }: Pick<Page, 'path'>): string {
  return path === '/' ? '/home' : path;
}

function csvHrefOf(page: Page, parameters: Row, more: Readonly<Record<string, string | null>>): string {
  return `${nameOf(page)}.csv${queryString({ ...parameters, ...more }, page.parameters)}`;
}

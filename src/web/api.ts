import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { csvRecord } from '../base/csv.ts';
import { NothingFound, UsageInvalid } from '../base/errors.ts';
import { codeOf } from '../db/connection-error.ts';
import { type QuestionEntry, questions } from '../questions/index.ts';
import { wholeNumber } from '../questions/parameters.ts';
import { headOf, type Question, type Row, statementOf } from '../questions/question.ts';
import type { Reader } from '../questions/reader.ts';
import { askTables, nameOf } from './answer-page.tsx';
import { type BookState, readBookState } from './book-state.ts';
import { CursorParameter, noSuchPage, readCursor, writeCursor } from './cursor.ts';
import { failureOf } from './failure.ts';
import { openApiOf, version } from './open-api.ts';
import type { Page, Table } from './page.ts';
import { readParameters } from './parameters.ts';

/** Whether a URL belongs to the API, whose responses are always JSON. */
export const isOfApi = (url: string) => /^\/api(?:[/?]|$)/.test(url);

export const unknownApiAddress = {
  version,
  error: 'This address does not exist. /api/v1/openapi.json lists all addresses.',
};

export const malformedApiAddress = {
  version,
  error: 'This address is malformed: two hexadecimal digits must follow each %.',
};

interface ApiNeeds {
  readonly reader: Reader;
  readonly pages: readonly Page[];
  onTrouble(error: unknown): void;
}

/** One path of the API: a question or the tables of a page. */
export interface Resource {
  readonly path: string;
  readonly about: string;
  readonly parameters: z.ZodObject;
  /** Whether the resource can be about a single thing that may not exist (404). */
  readonly mayBeAbsent: boolean;
  /** The question, if it is one. */
  readonly question?: { readonly name: string; readonly definition: Question };
  answer(parameters: Record<string, unknown>): Promise<Answer>;
}

interface Answer {
  readonly parameters: Row;
  readonly tables: readonly Pick<Table<unknown>, 'name' | 'caption' | 'rows' | 'sql'>[];
  /** State of the book that the rows are of. */
  readonly book: BookState;
  /** Cursor of the next page of a question; null: the last page. */
  readonly next?: string | null;
}

/** Parameters that the document does not allow; other invalid ones contradict each other. */
class Malformed extends UsageInvalid {}

/** A page of nights that have changed since the first page. */
class BookChanged extends Error {}

/** Whole tables sent at once: each holds a connection for as long as its reader takes. */
const mostStreams = 2;

/** Serves every question and every page as JSON, and the OpenAPI document that describes them. All routes are GET. */
export async function serveApi(server: FastifyInstance, { reader, pages, onTrouble }: ApiNeeds): Promise<void> {
  const resources = [
    ...pages.map((page) => pageResource(page, reader)),
    ...(await Promise.all(questions.map((entry) => questionResource(entry, reader)))),
  ];
  server.get('/api/v1/openapi.json', async () => openApiOf(resources));
  let streams = 0;

  for (const { path, parameters: shape, answer, question } of resources) {
    server.get(path, (request, reply) =>
      orRefused(reply, async () => {
        const { parameters, tables, book, next } = await answer(parametersIn(request.url, shape));
        const byName = tables.map(({ name, caption, rows, sql }) => [name, { caption, rows, sql: sql.copy }]);
        const following = question && { next: next ? addressWith(request.url, next) : null };
        const { version: of, nights } = book;
        return { version, book: { version: of, nights }, ...following, parameters, tables: Object.fromEntries(byName) };
      }),
    );
    if (question === undefined) continue;
    const whole = question.definition.parameters;
    for (const [ending, format] of Object.entries(formats)) {
      server.get(`${path}.${ending}`, (request, reply) =>
        orRefused(reply, async () => {
          if (streams >= mostStreams)
            return reply
              .code(503)
              .header('retry-after', '10')
              .send({ version, error: `${mostStreams} whole tables are being sent. Try again in a moment.` });
          const given = parametersIn(request.url, whole);
          const statement = await statementOf(question.definition, given, { limit: null }, reader.ask);
          let book: BookState | undefined;
          const batches = reader.batches(statement.sql, async (ask) => {
            book = await readBookState(ask);
          });
          streams += 1;
          // Released by the end of the response, also if the reader goes away.
          reply.raw.once('close', () => {
            streams -= 1;
          });
          const columns = question.definition.columns.map(({ name }) => name);
          // An error before the first row still gets a status of its own.
          const first = await batches.next();
          return reply
            .type(format.type)
            .header('pricebook-version', String(book?.version))
            .header('pricebook-nights', JSON.stringify(book?.nights))
            .send(Readable.from(linesOf(format, columns, first, batches)));
        }),
      );
    }
  }

  async function orRefused(reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      const refuse = (status: number, line: string) => reply.code(status).send({ version, error: line });
      if (error instanceof Malformed) return refuse(400, error.message);
      if (error instanceof UsageInvalid) return refuse(422, error.message);
      if (error instanceof NothingFound) return refuse(404, error.message);
      if (error instanceof BookChanged) return refuse(409, error.message);
      onTrouble(error);
      const { status, line } = failureOf(error);
      return refuse(status, line);
    }
  }
}

/** Throws `Malformed` for parameters that the shape does not allow. */
function parametersIn(url: string, shape: z.ZodObject): Record<string, unknown> {
  const at = url.indexOf('?');
  const search = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const empty = [...search].find(([, value]) => value.trim() === '');
  if (empty) throw new Malformed(`“${empty[0]}” is empty.`);
  const read = readParameters(shape, search);
  if ('refused' in read) throw new Malformed(read.refused.line);
  return read.parameters;
}

function addressWith(url: string, cursor: string): string {
  const [path, search] = url.split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set('cursor', cursor);
  return `${path}?${parameters}`;
}

interface Format {
  readonly type: string;
  opening(columns: readonly string[]): string;
  row(row: Row, columns: readonly string[]): string;
}

/** Formats of a whole table, by the ending of its address. */
const formats: Readonly<Record<string, Format>> = {
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    opening: () => '',
    row: (row, columns) => `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    opening: csvRecord,
    row: (row, columns) => csvRecord(columns.map((name) => row[name])),
  },
};

async function* linesOf(
  format: Format,
  columns: readonly string[],
  first: IteratorResult<Row[]>,
  rest: AsyncGenerator<Row[]>,
): AsyncGenerator<string> {
  try {
    yield format.opening(columns);
    for (let batch = first; !batch.done; batch = await rest.next())
      yield batch.value.map((row) => format.row(row, columns)).join('');
  } finally {
    await rest.return(undefined);
  }
}

function pageResource(page: Page, reader: Reader): Resource {
  return {
    path: `/api/v1${nameOf(page)}`,
    about: page.about,
    parameters: page.parameters,
    mayBeAbsent: page.isOfOneThing === true,
    async answer(parameters) {
      const { book, tables } = await reader.inOneSnapshot(async (ask) => ({
        book: await readBookState(ask),
        tables: await askTables(page, parameters, { ask }),
      }));
      const empty = page.empty?.(tables, parameters) ?? null;
      if (page.isOfOneThing && empty !== null) throw new NothingFound(empty);
      return { book, parameters, tables: Object.values(tables) };
    },
  };
}

async function questionResource({ name, about, load }: QuestionEntry, reader: Reader): Promise<Resource> {
  const definition = await load();
  const path = `/api/v1/questions/${name}`;
  const parameters = definition.parameters.extend({
    limit: wholeNumber(1, 10_000).default(1_000).meta({ description: 'Maximum number of rows' }),
    cursor: CursorParameter,
  });
  return {
    path,
    about: `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    parameters,
    mayBeAbsent: true,
    question: { name, definition },
    async answer(given) {
      const { book, parameters, rows, sql, next } = await answerQuestion(definition, given, reader);
      return { book, parameters, tables: [{ name, caption: about, rows, sql }], next };
    },
  };
}

/**
 * A page of the rows of a question. The pages of a walk are of one state: a question that can be pinned to its nights
 * ignores later ones; otherwise the next page is refused once the book has changed.
 */
export function answerQuestion(
  question: Question,
  { limit, cursor, ...given }: Record<string, unknown>,
  reader: Reader,
) {
  const at = cursor === undefined ? undefined : readCursor(String(cursor));
  return reader.inOneSnapshot(async (ask) => {
    const book = await readBookState(ask, at?.nights);
    const of = question.pin && !question.isDerived ? book.written : book.version;
    if (at !== undefined && at.of !== of)
      throw new BookChanged(
        'The nights of this walk have changed since its first page. Begin again without the cursor, or read the ' +
          'whole table of one state: add .ndjson to the path.',
      );
    const most = Number(limit);
    const part = { limit: most, offset: at?.offset, after: at?.after };
    const { sql, parameters } = await statementOf(question, given, part, ask, at?.nights);
    const { rows } = await ask(sql).catch((error) => {
      // Data exceptions: a cursor that no answer has had.
      throw at && codeOf(error)?.startsWith('22') ? noSuchPage : error;
    });
    const position = question.key
      ? { after: JSON.parse(JSON.stringify(rows.at(-1) ?? {}, [...question.key])) }
      : { offset: (at?.offset ?? 0) + most };
    const nights = question.pin && { nights: book.nights };
    return {
      book,
      parameters: { ...headOf(question, parameters), limit },
      rows,
      sql,
      next: rows.length < most ? null : writeCursor({ of, ...nights, ...position }),
    };
  });
}

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvRecord } from '../../base/csv.ts';
import type { Row } from '../../base/format.ts';
import { type Question, statementOf } from '../../questions/question.ts';
import type { Reader } from '../reader.ts';
import { type BookState, readBookState } from './book-state.ts';

/** Whole tables sent at once: each holds a connection for as long as its reader takes. */
const maxAtOnce = 2;

interface Format {
  readonly type: string;
  opening(columns: readonly string[]): string;
  row(row: Row, columns: readonly string[]): string;
}

/** Formats of a whole table, by the ending of its address. */
export const formats: Readonly<Record<string, Format>> = {
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

/** Sends all rows of a question from one state of the book. */
export function createWholeTables(reader: Reader, stalledAfterMs = 30_000) {
  let underWay = 0;
  return async (reply: FastifyReply, question: Question, given: Row, ending: string): Promise<unknown> => {
    const format = formats[ending]!;
    // A reader that has left already would not be seen to leave.
    if (reply.raw.destroyed) return;
    if (underWay >= maxAtOnce)
      return reply
        .code(503)
        .header('retry-after', '10')
        .send({ error: `${maxAtOnce} whole tables are being sent. Try again in a moment.` });
    // Counted before anything is awaited, and released by the end of the response, also if the reader goes away.
    underWay += 1;
    let batches: AsyncGenerator<Row[]> | undefined;
    reply.raw.once('close', () => {
      underWay -= 1;
      // A stream that nobody has read from would not end it.
      void batches?.return(undefined);
    });
    const statement = await statementOf(question, given, { limit: null }, reader.ask);
    let book: BookState | undefined;
    batches = reader.batches(statement.sql, async (ask) => {
      book = await readBookState(ask);
    });
    // An error before the first row still gets a status of its own.
    const first = await batches.next();
    if (reply.raw.destroyed) return void (await batches.return(undefined));
    // Without a listener, the socket is destroyed. Each byte that the reader takes starts the time anew.
    reply.raw.setTimeout(stalledAfterMs);
    const columns = question.columns.map(({ name }) => name);
    return reply
      .type(format.type)
      .header('content-disposition', `inline; filename="${question.name}.${ending}"`)
      .header('pricebook-version', String(book?.version))
      .header('pricebook-nights', JSON.stringify(book?.nights))
      .send(Readable.from(linesOf(format, columns, first, batches)));
  };
}

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

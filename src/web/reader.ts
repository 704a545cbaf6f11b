import { createDatabase, type Queryable } from '../db/client.ts';
import { codeOf } from '../db/connection-error.ts';
import { readingSettings } from '../db/reader-role.ts';
import type { Row } from '../questions/question.ts';
import type { Sql } from '../questions/sql.ts';

/** What pages ask: the marts, and nothing else. */
export interface Reader {
  ask(statement: Sql): Promise<{ readonly rows: readonly Row[]; readonly fields: readonly string[] }>;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly databaseUrl: string;
  /**
   * Hears that the role cannot be taken on: pages are then read with the rights of DATABASE_URL, read-only all the
   * same.
   */
  onOwnRights(reason: string): void;
}

const role = 'bi_reader';
/** What takes longer answers nobody who waits for a page. */
const statementTimeoutMs = 10_000;
/** A person waits for the page: one who is told that the database is away can load it again. */
const reconnectLimitMs = 3_000;
/** A page asks several questions at once; a few people may look at the same time. */
const connections = 6;

/**
 * Connections that are `bi_reader`: they can read `marts` and change nothing. Where DATABASE_URL's user may not take on
 * that role, they are read-only connections of that user.
 */
export async function openReader({ databaseUrl, onOwnRights }: ReaderOptions): Promise<Reader> {
  const asReader = open(databaseUrl, `-c role=${role}`);
  try {
    await asReader.query('select 1 from marts.dim_region limit 1');
    return readerOf(asReader);
  } catch (error) {
    // 22023: there is no such role; 42501: it may not be taken on, or may not read.
    if (!['22023', '42501'].includes(codeOf(error) ?? '')) {
      await asReader.end();
      throw error;
    }
    await asReader.end();
    onOwnRights((error as Error).message);
    return readerOf(open(databaseUrl, ''));
  }
}

function open(databaseUrl: string, more: string) {
  return createDatabase({
    url: withOptions(
      databaseUrl,
      `-c default_transaction_read_only=on -c statement_timeout=${statementTimeoutMs} ${more}`,
    ),
    applicationName: 'pricebook explorer',
    max: connections,
    reconnectLimitMs,
  });
}

function readerOf(db: Queryable & { end(): Promise<void> }): Reader {
  return {
    async ask(statement) {
      const { rows, fields } = await db.query(statement.text, statement.asked);
      return { rows, fields: fields.map(({ name }) => name) };
    },
    close: () => db.end(),
  };
}

/**
 * Beside those that the URL has. A role takes its settings along only at log-in, so they are given here: see
 * src/db/reader-role.ts.
 */
function withOptions(url: string, given: string): string {
  const at = url.indexOf('?');
  const parameters = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const settings = Object.entries(readingSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  parameters.set('options', [parameters.get('options'), settings, given].filter(Boolean).join(' '));
  return `${at < 0 ? url : url.slice(0, at)}?${parameters}`;
}

import { open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Database, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Column, Dataset } from './datasets.ts';
import type { Night } from './nights.ts';

interface Copied {
  readonly dataset: Dataset;
  readonly night: Night;
  readonly path: string;
  /** With a header, and with an apostrophe before texts that a spreadsheet would run as a formula. */
  readonly isForSpreadsheets: boolean;
}

/**
 * Writes a dataset's rows of a night to a file, as COPY writes CSV. Returns how many they are. Memory stays flat. When
 * it is cut short (the signal, a full disk), the server cancels the COPY, which is read to its end: a connection left in
 * the middle of one answers nothing any more.
 */
export async function copyRows(
  { db, tx }: { readonly db: Database; readonly tx: Transaction },
  { dataset, night, path, isForSpreadsheets }: Copied,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const [backend] = await rowsOf<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  const file = await open(path, 'w');
  let failure: { readonly why: unknown; readonly cancelled: Promise<unknown> } | null = null;
  const fail = (why: unknown) => {
    failure ??= {
      why,
      cancelled: db.query('select pg_cancel_backend($1)', [backend!.pid]).catch(() => undefined),
    };
  };
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const select = dataset.select(night);
  const rows = copyTo(
    isForSpreadsheets
      ? `copy (${withoutFormulas(select, dataset.columns)}) to stdout with (format csv, header)`
      : `copy (${select}) to stdout with (format csv)`,
  );
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      if (failure) done();
      else file.appendFile(chunk).catch(fail).finally(done);
    },
  });
  try {
    await pipeline(tx.client.query(rows), sink);
    // The number of rows comes after the last of them; the next query is answered after that.
    if (!failure) await tx.query('select');
  } catch (error) {
    fail(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await file.close();
  }
  await throwFailure(failure);
  return rows.rowCount;
}

/** OWASP, CSV injection. Also in full width, which spreadsheets with East Asian settings take for the same. */
function withoutFormulas(select: string, columns: readonly Column[]): string {
  const safe = columns.map(({ name, type }) =>
    type === 'VARCHAR'
      ? `case when ${name}::text ~ e'^[=+\\\\-@\\t\\r\\n＝＋－＠]' and ${name}::text !~ '^-?[0-9]+(\\.[0-9]+)?$'
           then '''' || ${name}::text else ${name}::text end as ${name}`
      : name,
  );
  return `select ${safe.join(', ')} from (${select}) as row (${columns.map(({ name }) => name).join(', ')})`;
}

async function throwFailure(failure: { readonly why: unknown; readonly cancelled: Promise<unknown> } | null) {
  if (!failure) return;
  await failure.cancelled;
  throw failure.why;
}

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
  /** Whether to add a header, and an apostrophe before text that a spreadsheet would execute. */
  readonly isForSpreadsheets: boolean;
}

/**
 * Writes a dataset of a night to a CSV file with COPY and constant memory. Returns the number of rows. On abort or a
 * full disk the server cancels the COPY, which is then drained, because a connection within a COPY is unusable.
 */
export async function copyRows(
  { db, tx }: { readonly db: Database; readonly tx: Transaction },
  { dataset, night, path, isForSpreadsheets }: Copied,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const [backend] = await rowsOf<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  const file = await open(path, 'wx');
  const failed: { why?: unknown; cancelled?: Promise<unknown> } = {};
  const fail = (why: unknown) => {
    failed.why ??= why;
    failed.cancelled ??= db.query('select pg_cancel_backend($1)', [backend!.pid]).catch(() => undefined);
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
      if (failed.cancelled) done();
      else file.appendFile(chunk).catch(fail).finally(done);
    },
  });
  try {
    await pipeline(tx.client.query(rows), sink);
    // The row count arrives after the last row; the next query waits for it.
    if (!failed.cancelled) await tx.query('select');
  } catch (error) {
    fail(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await file.close();
  }
  if (failed.cancelled) await failed.cancelled.then(() => Promise.reject(failed.why));
  return rows.rowCount;
}

/** As `csvRecord` does it. */
function withoutFormulas(select: string, columns: readonly Column[]): string {
  const safe = columns.map(({ name, type }) =>
    type === 'VARCHAR'
      ? `case when ${name}::text ~ '^-?[0-9]+(\\.[0-9]+)?$' then ${name}::text else
           regexp_replace(regexp_replace(${name}::text, e'(^|[;|\\t\\r\\n][" ]*)(?=[-=+@＝＋－＠])', '\\1''', 'g'),
             e'^(?=[\\t\\r\\n])', '''') end as ${name}`
      : name,
  );
  return `select ${safe.join(', ')} from (${select}) as row (${columns.map(({ name }) => name).join(', ')})`;
}

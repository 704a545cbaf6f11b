import { open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Database, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Dataset } from './datasets.ts';
import type { Night } from './nights.ts';

/**
 * Writes a dataset's rows of a night to a file, as COPY writes CSV, and says how many they are. Memory stays flat. What
 * cuts it short (the signal, a full disk) has the server cancel the COPY, which is read to its end: a connection left
 * in the middle of one answers nothing any more.
 */
export async function spool(
  { db, tx }: { readonly db: Database; readonly tx: Transaction },
  { dataset, night, path }: { readonly dataset: Dataset; readonly night: Night; readonly path: string },
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
  const rows = copyTo(`copy (${dataset.select(night)}) to stdout with (format csv)`);
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      if (failure) done();
      else file.appendFile(chunk).catch(fail).finally(done);
    },
  });
  try {
    await pipeline(tx.client.query(rows), sink);
    // How many rows they were comes after the last of them; whatever is asked next is answered after that.
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

async function throwFailure(failure: { readonly why: unknown; readonly cancelled: Promise<unknown> } | null) {
  if (!failure) return;
  await failure.cancelled;
  throw failure.why;
}

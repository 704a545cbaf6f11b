import type { Queryable } from './client.ts';
import { rowsOf } from './rows.ts';

/**
 * Draws a change key. Drawing waits until the transaction that drew the previous key has ended, so that a reader who
 * sees a key has seen all smaller ones: draw it at the end of a transaction.
 */
export async function drawChangeSeq(tx: Queryable): Promise<number> {
  // A separate statement, so that the key is drawn after the previous lock holder has ended.
  await tx.query('lock table ops.night_change in exclusive mode');
  const [drawn] = await rowsOf<{ seq: number }>(tx, `select nextval('ops.change_seq') as seq`);
  return drawn!.seq;
}

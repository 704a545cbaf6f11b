import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Transaction } from './client.ts';

/** The fields of a row as bytes. */
export type BinaryRow = readonly (Buffer | null)[];

/**
 * Executes a SELECT by COPY in binary format (https://www.postgresql.org/docs/18/sql-copy.html, "Binary Format") and
 * returns each field as bytes: text in UTF-8, `bytea` unchanged, arrays as read by `integersOf`. Faster than a plain
 * query for large values: bytes take half the time, integers a third. `values` replace `$1, $2, …` in the text, because
 * COPY takes no parameters. `read` converts each row as it arrives, so that its bytes need not be kept.
 */
export async function copyBinary<Row = BinaryRow>(
  { client }: Pick<Transaction, 'client'>,
  select: string,
  values: readonly (string | number | Date)[] = [],
  read: (row: BinaryRow) => Row = (row) => row as Row,
): Promise<Row[]> {
  const told = select.replace(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1]!));
  const rows: Row[] = [];
  const stream = client.query(copyTo(`copy (${told}) to stdout with (format binary)`));
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const take = takeFrom(pieces);
  const takeLength = async () => (await take(4)).readInt32BE();
  const takeFields = async () => (await take(2)).readInt16BE();
  try {
    await take(signatureBytes);
    await take(await takeLength());
    for (let fields = await takeFields(); fields !== noMoreRows; fields = await takeFields()) {
      const row: (Buffer | null)[] = [];
      for (let field = 0; field < fields; field++) {
        const length = await takeLength();
        row.push(length === noValue ? null : await take(length));
      }
      rows.push(read(row));
    }
    // Only after the end is the connection free for another statement.
    await pieces.next();
    return rows;
  } finally {
    await pieces.return?.();
  }
}

const literal = (value: string | number | Date): string =>
  pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));

/** Length of the signature "PGCOPY\n\377\r\n\0" and the flags. */
const signatureBytes = 11 + 4;
const noMoreRows = -1;
const noValue = -1;

/** A function that returns the next bytes of a stream, independently of its pieces. */
function takeFrom(pieces: AsyncIterator<Buffer>): (bytes: number) => Promise<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  return async (bytes) => {
    while (heldBytes < bytes) {
      const { value } = await pieces.next();
      held.push(value);
      heldBytes += value.length;
    }
    const all = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [all.subarray(bytes)];
    heldBytes -= bytes;
    return all.subarray(0, bytes);
  };
}

/** Header of an array: dimensions, null flag, type; then length and lower bound of its one dimension. */
const arrayHeaderBytes = 5 * 4;

/** Elements of an `integer[]` without nulls; empty for null, which `array_agg` returns for no rows. */
export function integersOf(array: Buffer | null | undefined): Int32Array {
  if (!array || array.length <= arrayHeaderBytes) return new Int32Array(0);
  const numbers = new Int32Array(array.readInt32BE(12));
  // Each element is preceded by its length.
  for (let i = 0, at = arrayHeaderBytes + 4; i < numbers.length; i++, at += 8) numbers[i] = array.readInt32BE(at);
  return numbers;
}

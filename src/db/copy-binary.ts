import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Transaction } from './client.ts';

/**
 * What a SELECT answers, each field as its bytes and null as null: text in UTF-8, `bytea` as it is, arrays as `integersOf` reads
 * them. For large values, which a plain query sends as text: bytes take half, whole numbers a third of the time. Values are put
 * into the statement as `$1, $2, …`, since COPY takes no parameters.
 */
export async function copyBinary(
  { client }: Pick<Transaction, 'client'>,
  select: string,
  values: readonly (string | number | Date)[] = [],
): Promise<(Buffer | null)[][]> {
  const told = select.replace(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1]!));
  const pieces: Buffer[] = [];
  for await (const piece of client.query(copyTo(`copy (${told}) to stdout with (format binary)`))) {
    pieces.push(piece as Buffer);
  }
  return rowsIn(Buffer.concat(pieces));
}

const literal = (value: string | number | Date): string =>
  pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));

/** "PGCOPY\n\377\r\n\0" and flags. */
const signatureBytes = 11 + 4;
const noMoreRows = -1;
const noValue = -1;

/** The format of https://www.postgresql.org/docs/18/sql-copy.html, "Binary Format". */
function rowsIn(bytes: Buffer): (Buffer | null)[][] {
  const rows: (Buffer | null)[][] = [];
  let at = signatureBytes + 4 + bytes.readInt32BE(signatureBytes);
  for (let fields = bytes.readInt16BE(at); fields !== noMoreRows; fields = bytes.readInt16BE(at)) {
    at += 2;
    const row: (Buffer | null)[] = [];
    for (let field = 0; field < fields; field++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(length === noValue ? null : bytes.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    rows.push(row);
  }
  return rows;
}

/** Dimensions, whether there are nulls, type; length and lower bound of the one dimension. */
const arrayHeaderBytes = 5 * 4;

/** The elements of an `integer[]` without nulls; none of an array that is null, as `array_agg` of no rows is. */
export function integersOf(array: Buffer | null | undefined): Int32Array {
  if (!array || array.length <= arrayHeaderBytes) return new Int32Array(0);
  const numbers = new Int32Array(array.readInt32BE(12));
  // Each with its length before it.
  for (let i = 0, at = arrayHeaderBytes + 4; i < numbers.length; i++, at += 8) numbers[i] = array.readInt32BE(at);
  return numbers;
}

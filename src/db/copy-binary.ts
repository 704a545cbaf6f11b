import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Transaction } from './client.ts';

/** The fields of a row as bytes. */
export type BinaryRow = readonly (Buffer | null)[];

/**
 * Executes a SELECT by COPY in binary format and returns each field as bytes: text in UTF-8, `bytea` unchanged, arrays
 * as read by `integersOf` and `floatsOf`. Faster than a plain query for large values: bytes take half the time,
 * integers a third. `values` replace `$1, $2, …` in the text, because COPY takes no parameters. `read` converts each
 * row as it arrives, so that its bytes need not be kept.
 */
export async function copyBinary<Row = BinaryRow>(
  { client }: Pick<Transaction, 'client'>,
  select: string,
  values: readonly (string | number | Date)[] = [],
  read: (row: BinaryRow) => Row = (row) => row as Row,
): Promise<Row[]> {
  const told = select.replace(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1]!));
  const rows: Row[] = [];
  const reader = createRowReader((row) => rows.push(read(row)));
  for await (const piece of client.query(copyTo(`copy (${told}) to stdout with (format binary)`))) {
    reader.add(piece as Buffer);
  }
  return rows;
}

const literal = (value: string | number | Date): string =>
  pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));

/** Length of the signature "PGCOPY\n\377\r\n\0" and the flags. */
const signatureBytes = 11 + 4;
const noMoreRows = -1;
const noValue = -1;

/**
 * Splits a stream of arbitrary pieces into rows. Format: https://www.postgresql.org/docs/18/sql-copy.html, "Binary
 * Format".
 */
function createRowReader(found: (row: BinaryRow) => void): { add(piece: Buffer): void } {
  let pieces: Buffer[] = [];
  let held = 0;
  /** Number of buffered bytes without which parsing cannot continue. */
  let needed = 0;
  let isHeaderRead = false;

  /** Reads the header or row at `start` and returns its end; null if it is incomplete. */
  function take(bytes: Buffer, start: number): number | null {
    const has = (end: number): boolean => {
      needed = end - start;
      return end <= bytes.length;
    };
    if (!isHeaderRead) {
      const end = start + signatureBytes + 4;
      if (!has(end) || !has(end + bytes.readInt32BE(end - 4))) return null;
      isHeaderRead = true;
      return start + needed;
    }
    let at = start + 2;
    if (!has(at)) return null;
    const fields = bytes.readInt16BE(start);
    if (fields === noMoreRows) return at;
    const row: (Buffer | null)[] = [];
    for (let field = 0; field < fields; field++) {
      if (!has(at + 4)) return null;
      const length = bytes.readInt32BE(at);
      at += 4;
      const end = at + Math.max(length, 0);
      if (!has(end)) return null;
      row.push(length === noValue ? null : bytes.subarray(at, end));
      at = end;
    }
    found(row);
    return at;
  }

  return {
    add(piece) {
      pieces.push(piece);
      held += piece.length;
      if (held < needed) return;
      const bytes = pieces.length === 1 ? piece : Buffer.concat(pieces);
      let at = 0;
      for (let end = take(bytes, at); end !== null; end = take(bytes, at)) at = end;
      pieces = at === bytes.length ? [] : [bytes.subarray(at)];
      held = bytes.length - at;
    },
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

/** Elements of a `float8[]`; NaN for null. */
export function floatsOf(array: Buffer): Float64Array {
  if (array.length <= arrayHeaderBytes) return new Float64Array(0);
  const numbers = new Float64Array(array.readInt32BE(12));
  let at = arrayHeaderBytes;
  for (let i = 0; i < numbers.length; i++) {
    const length = array.readInt32BE(at);
    numbers[i] = length === noValue ? Number.NaN : array.readDoubleBE(at + 4);
    at += 4 + Math.max(length, 0);
  }
  return numbers;
}

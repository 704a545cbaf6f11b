import pg from 'pg';

type Parse = (text: string) => unknown;

/** PostgreSQL type numbers (pg_type.dat). */
const oid = { int8: 20, int8Array: 1016, date: 1082, dateArray: 1182, numericArray: 1231, textArray: 1009 };

const parseTextArray: Parse = pg.types.getTypeParser(oid.textArray, 'text');

const parsers = new Map<number, Parse>([
  [oid.int8, parseInt8],
  [oid.int8Array, parseInt8Array],
  // A calendar date has no instant: as a Date, it would depend on the machine's time zone.
  [oid.date, (text) => text],
  [oid.dateArray, parseTextArray],
  // pg would convert them to floats.
  [oid.numericArray, parseTextArray],
]);

/**
 * Conversion of values: int8 to a number (throws `RangeError` beyond 2^53), numeric to an exact string, date to
 * `YYYY-MM-DD`, timestamptz to a Date; others as in pg.
 */
export const valueTypes = {
  getTypeParser: ((typeId: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(typeId)) ??
    pg.types.getTypeParser(typeId, format as 'text')) as typeof pg.types.getTypeParser,
};

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for an exact number`);
  return value;
}

function parseInt8Array(text: string): unknown {
  return (parseTextArray(text) as (string | null)[]).map((item) => (item === null ? null : parseInt8(item)));
}

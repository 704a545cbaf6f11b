import { expect, it } from 'vitest';
import { copyBinary, integersOf } from '../../src/db/copy-binary.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const inTransaction = (select: string, values: (string | number | Date)[] = []) =>
  database.db.tx((tx) => copyBinary(tx, select, values));

it('COPY returns every field as bytes, null as null, and no rows from an empty table', async () => {
  const rows = await inTransaction(
    `select n::text, case when n = 2 then null else decode(repeat('00ff', 40000), 'hex') end, ''
     from generate_series(1, 3) as n order by n`,
  );
  expect(rows.map(([text]) => String(text))).toEqual(['1', '2', '3']);
  expect(rows.map(([, bytes]) => bytes?.length ?? null)).toEqual([80_000, null, 80_000]);
  expect(rows[2]![1]!.subarray(0, 4).toString('hex')).toBe('00ff00ff');
  expect(rows[0]![2]).toEqual(Buffer.alloc(0));
  expect(await inTransaction('select 1 where false')).toEqual([]);
});

it('rows are found independently of chunk boundaries', async () => {
  const lengths = await database.db.tx((tx) =>
    copyBinary(
      tx,
      `select repeat('x', n * 7919 % 3000), n from generate_series(1, 20000) as n order by n`,
      [],
      (row) => [row[0]!.length, row[1]!.readInt32BE()],
    ),
  );
  expect(lengths).toEqual(Array.from({ length: 20_000 }, (_, i) => [((i + 1) * 7919) % 3000, i + 1]));
});

it('arrays of integers are read, including extremes and empty arrays', async () => {
  const numbers = Array.from({ length: 50_000 }, (_, i) => (i % 2 ? -i : i * 40_000));
  const [row] = await inTransaction(
    `select '{${[-(2 ** 31), ...numbers, 2 ** 31 - 1]}}'::int[], '{}'::int[], null::int[]`,
  );
  expect(integersOf(row![0])).toEqual(Int32Array.of(-(2 ** 31), ...numbers, 2 ** 31 - 1));
  expect([integersOf(row![1]), integersOf(row![2])]).toEqual([new Int32Array(0), new Int32Array(0)]);
});

it('values are inserted into statements safely', async () => {
  const nasty = `x'); drop schema ops; --\\' $1 $2`;
  const at = new Date('2026-03-05T12:00:00.123Z');
  const [row] = await inTransaction('select $1::text, $2::timestamptz = $3, $11', [
    nasty,
    at,
    at.toISOString(),
    ...'4567890',
    'no. 11',
  ]);
  expect(row!.map(String)).toEqual([nasty, '\u0001', 'no. 11']);
});

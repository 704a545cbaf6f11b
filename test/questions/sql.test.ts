import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allOf, sql } from '../../src/questions/sql.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('values are kept apart from the statement, also in its parts, and numbered in order', () => {
  const statement = sql`select ${1} where ${allOf(sql`a = ${'x'}`, null, sql`b = ${true}`)} limit ${5}`;
  expect([statement.text, statement.values]).toEqual(['select $1 where a = $2 and b = $3 limit $4', [1, 'x', true, 5]]);
});

it('a statement is copied without the indentation of the source', () => {
  expect(
    sql`
    select 1
      from dual`.copy,
  ).toBe('select 1\n  from dual');
});

it('a statement copied with its values filled in means the same to PostgreSQL', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\0'));
  const value = fc.tuple(text, fc.integer({ min: -1e9, max: 1e9 }), fc.boolean(), fc.option(text));
  await fc.assert(
    fc.asyncProperty(value, async ([words, count, isSo, maybe]) => {
      const statement = sql`select ${words}::text as a, ${count}::int as b, ${isSo}::boolean as c, ${maybe}::text as d,
        ${[words]}::text[] as e`;
      const apart = await database.db.query(statement.text, statement.values);
      const copied = await database.db.query(statement.copy);
      expect(copied.rows).toEqual(apart.rows);
    }),
    { numRuns: 20 },
  );
});

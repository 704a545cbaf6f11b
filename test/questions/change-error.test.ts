import { beforeAll, expect, it } from 'vitest';
import { contributions } from '../../src/questions/contributions.ts';
import { type Ask, statementOf } from '../../src/questions/question.ts';
import { fillSmallBook } from '../derive/small-book.ts';
import { openOver } from '../explorer/explorer-book.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const ask: Ask = (statement) => database.db.query(statement.text, statement.values);

// The change is that from night 10 to night 40.
const before = 10;
beforeAll(async () => {
  const steady = () => ({ price: 100 });
  const dearer = (night: number) => ({ price: night === before ? 130 : 100 });
  const rising = (night: number) => ({ price: night < 35 ? 100 : 120 });
  await fillSmallBook(database.db, {
    ...{ first: '2026-05-01', nights: 41 },
    departments: {
      // The errors of the index shrink again, so their difference says nothing.
      Pantry: [...Array(6).fill(steady), ...Array(6).fill(dearer)],
      // A single product has no error.
      Bakery: [rising],
      // On the night before, a single product is left.
      Dairy: [steady, (night) => (night === before ? null : rising(night))],
      Frozen: [steady, rising],
    },
  });
});

it('a change has an unknown error where two errors give none, or no price differs, in rows and on pages', async () => {
  const { sql } = await statementOf(contributions, contributions.parameters.parse({}), { limit: null }, ask);
  const { rows } = await ask(sql);
  const error = 100 * Math.sqrt(1.2) * Math.log(1.2);
  const errors = rows.map((row) => [row['category_path'], [row['change_error_pct'], row['change_7_error_pct']]]);
  expect(Object.fromEntries(errors)).toEqual({
    ...{ null: [null, expect.anything()], Pantry: [null, null], Bakery: [null, null], Dairy: [null, '19.96'] },
    Frozen: [error.toFixed(2), error.toFixed(2)],
  });
  for (const row of rows) expect(row['change_30_pct']).not.toBeNull();

  const explorer = await openOver(database.db);
  try {
    const page = await (await fetch(`${explorer.url}/index?region=uk`)).text();
    expect(page).toMatch(/show no clear change in 30 nights: [^<]*% ± unknown</);
    expect(page).toContain(`<small> ±${error.toFixed(2)}</small>`);
  } finally {
    await explorer.close();
  }
});

it('the error of a week is known for a region of 300,000 products', async () => {
  await database.db.query('update derived.price_index set counts[3] = 300000 where category_key = 0');
  const { sql } = await statementOf(contributions, contributions.parameters.parse({}), { limit: 1 }, ask);
  expect((await ask(sql)).rows).toMatchObject([{ matched_products: 300_000, change_7_error_pct: expect.anything() }]);
});

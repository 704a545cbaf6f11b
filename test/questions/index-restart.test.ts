import { beforeAll, expect, it } from 'vitest';
import { contributions } from '../../src/questions/contributions.ts';
import { priceIndex } from '../../src/questions/price-index.ts';
import { type Ask, type Question, statementOf } from '../../src/questions/question.ts';
import { fillSmallBook } from '../derive/small-book.ts';
import { openOver } from '../explorer/explorer-book.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const ask: Ask = (statement) => database.db.query(statement.text, statement.values);

async function rowsOf(question: Question, given: Record<string, unknown>) {
  const { sql } = await statementOf(question, question.parameters.parse(given), { limit: null }, ask);
  return (await ask(sql)).rows;
}

// The night before the last, twelve products of a department give way to twelve that cost less.
const [first, nights, replaced] = ['2026-05-01', 40, 38];
beforeAll(async () => {
  const steady = (price: number) => () => ({ price });
  const goes = (night: number) => (night < replaced ? { price: 130 } : null);
  const comes = (night: number) => (night < replaced ? null : { price: 100 });
  await fillSmallBook(database.db, {
    ...{ first, nights },
    departments: {
      Pantry: Array.from({ length: 40 }, (_, n) => steady(100 + n)),
      Bakery: [...Array(12).fill(goes), ...Array(12).fill(comes)],
    },
  });
});

it('no change is computed across a restart of a series; rows and page say since when the basis is new', async () => {
  const rows = await rowsOf(contributions, { region: 'uk' });
  const shown = rows.map(({ category_path, change_7_pct, change_30_pct, contribution_points, new_basis_since }) => ({
    ...{ category_path, change_7_pct, change_30_pct, contribution_points, new_basis_since },
  }));
  const change = { change_7_pct: '0.0000', change_30_pct: '0.0000', contribution_points: '0.000000' };
  const unknown = { ...change, change_7_pct: null, change_30_pct: null };
  expect(shown).toEqual([
    { category_path: null, ...change, new_basis_since: null },
    { category_path: 'Pantry', ...change, new_basis_since: null },
    { category_path: 'Bakery', ...unknown, new_basis_since: '2026-06-08' },
  ]);
  const index = (await rowsOf(priceIndex, { region: 'uk', category: 'Bakery' })).slice(-3);
  expect(index.map(({ period_start, base_start, change_pct }) => [period_start, base_start, change_pct])).toEqual([
    ['2026-06-07', '2026-05-01', '0.0000'],
    ['2026-06-08', '2026-06-08', null],
    ['2026-06-09', '2026-06-08', '0.0000'],
  ]);

  const explorer = await openOver(database.db);
  try {
    const page = async (path: string) => (await fetch(explorer.url + path)).text();
    expect(await page('/index?region=uk')).toContain('new basis since 8 June 2026</small>');
    const own = await page('/index?region=uk&category=Bakery');
    expect(own).toContain('Bakery in the United Kingdom: new basis since 8 June 2026</h1>');
    expect(own).toContain('United Kingdom, Bakery: new basis since 8 June 2026, because no product before');
  } finally {
    await explorer.close();
  }
});

import { beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const database = useDatabase();
const household = useHousehold();
const run = (...args: string[]) => household.run(['movers', ...args], { DATABASE_URL: database.url });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

beforeAll(async () => {
  await fillRandomBook(database.db, { seed: 4, first: '2026-03-02', runs: 12, products: 30 });
  await deriveNights(database.db, 'uk');
});

describe('movers', () => {
  test('movers shows the moves of the mart between the last night and the period before', async () => {
    const { rows, region, period } = await json('--period', 'week');
    expect([region, period, rows.length > 1]).toEqual(['uk', 'week', true]);
    const [{ since, until }] = rows;
    const { rows: moves } = await database.db.query<{ product_id: string; change: string }>(
      `select product_id, change from marts.price_move
       where region = 'uk' and since = $1 and until = $2 and change <> 0`,
      [since, until],
    );
    const told = (row: { product_id: string; change: string }) => `${row.product_id} ${row.change}`;
    expect(rows.map(told).sort()).toEqual(moves.map(told).sort());
  });

  test('movers filters by direction, category and price, largest first', async () => {
    const { rows } = await json('--period', 'week', '--direction', 'rises', '--by', 'amount');
    const changes = rows.map(({ change }: { change: string }) => Number(change));
    expect(changes).toEqual([...changes].sort((a, b) => b - a));
    expect(changes.every((change: number) => change > 0)).toBe(true);
    const all = (await json('--period', 'week')).rows.length;
    expect((await json('--period', 'week', '--category', 'c1')).rows.length).toBeLessThan(all);
    const dear = (await json('--period', 'week', '--price-from', '3')).rows;
    expect(dear.every(({ old_price }: { old_price: string }) => Number(old_price) >= 3)).toBe(true);
  });

  test('movers prints a table, or a message if nothing changed', async () => {
    const { code, stdout } = await run('--period', 'week');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^product id +product +since +before +until +after +change +on promotion: a reduction\?\n/);
    expect(await run('--words', 'nothing like it')).toMatchObject({
      code: 0,
      stderr: 'No price changed that way between the two nights.\n',
    });
    expect((await run('--by', 'luck')).code).toBe(2);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';
import { useCliHome } from './pricebook.ts';

const database = useDatabase();
const cliHome = useCliHome();
const run = (...args: string[]) => cliHome.run(['index', ...args], { DATABASE_URL: database.url });

beforeAll(async () => {
  await fillRandomBook(database.db, { seed: 4, first: '2026-03-02', runs: 12, products: 30 });
  await deriveNights(database.db, 'uk');
});

describe('index', () => {
  test('the first period shown has a change if an earlier period exists', async () => {
    const of = async (...args: string[]): Promise<Record<string, unknown>[]> =>
      JSON.parse((await run('--region', 'uk', '--json', ...args)).stdout).rows;
    const all = await of();
    expect(all.filter((row) => row['change_pct'] === null).map((row) => row['period_start'])).toEqual(['2026-03-02']);
    expect(await of('--since', '2026-03-05')).toEqual(all.filter((row) => row['period_start']! >= '2026-03-05'));
    expect(await of('--limit', '3'), 'the newest').toEqual(all.slice(-3));
  });
});

import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { readText } from '../house/source-files.ts';
import { useDatabase } from '../support/database.ts';
import { fillSmallBook } from './small-book.ts';

const folder = 'integrations/index';
const database = useDatabase();

beforeAll(async () => {
  /** 31 nights of January at one price, February at another. */
  const moving = (february: number) => Array(3).fill((night: number) => ({ price: night < 31 ? 100 : february }));
  await fillSmallBook(database.db, {
    ...{ first: '2026-01-01', nights: 59 },
    departments: {
      Bakery: moving(120),
      'Fresh Food > Cheese': moving(110),
      'Fresh Food > Yogurts': moving(90),
      Household: moving(300),
    },
  });
});

/** The statement as psql sends it. */
async function ask(weightsAt: string): Promise<Record<string, unknown>[]> {
  const values: Record<string, string> = {
    ...{ region: 'uk', weights_at: weightsAt },
    ...{ coicop: readText(`${folder}/coicop.csv`), weights: readText(`${folder}/weights.csv`) },
  };
  const statement = readText(`${folder}/weighted-index.sql`)
    .replaceAll(/^\s*\\.*$/gm, '')
    .replaceAll(/:'(\w+)'/g, (_, name: string) => `'${values[name]!.replaceAll("'", "''")}'`);
  return database.db.tx(async (tx) => {
    await tx.query('set local role bi_reader');
    return rowsOf(tx, statement);
  });
}

const [bakery, dairy] = [13.4507, 9.3347];
const change = { bakery: 1.2, dairy: Math.sqrt(1.1 * 0.9) };
const rounded = (value: number) => (100 * value).toFixed(2);

it('without a month for the weights the total is a Young index of the classes', async () => {
  const young = (bakery * change.bakery + dairy * change.dairy) / (bakery + dairy);
  const rows = await ask('');
  expect(rows.filter(({ period_start: month }) => month === '2026-02-01')).toMatchObject([
    { coicop: 'total', name: null, categories: '3', index: rounded(young) },
    { coicop: '01.1.1', name: 'Cereals and cereal products', categories: '1', index: rounded(change.bakery) },
    { coicop: '01.1.4', categories: '2', index: rounded(change.dairy) },
  ]);
});

it('with weights at prices of a later month the total is a Lowe index', async () => {
  const lowe = (bakery + dairy) / (bakery / change.bakery + dairy / change.dairy);
  const rows = await ask('2026-02-01');
  const totals = rows.filter(({ coicop }) => coicop === 'total');
  expect(totals.map(({ index }) => index)).toEqual(['100.00', rounded(lowe)]);
});

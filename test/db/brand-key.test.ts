import { expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { comparableBrand } from '../../src/source/normalise/product-name.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('spellings of a brand have one key, which is that of the matches', async () => {
  const spellings = ["O'Dowd's", 'O’DOWD’S', 'Ember & Oak', 'EMBER AND OAK', 'Lumière', 'Pip & Co.', '7-UP™', ' ', '!'];
  const rows = await rowsOf<{ brand: string; key: string | null }>(
    database.db,
    'select brand, marts.brand_key(brand) as key from unnest($1::text[]) as brand',
    [spellings],
  );
  expect(rows).toEqual(spellings.map((brand) => ({ brand, key: comparableBrand(brand) })));
  expect(new Set(rows.map(({ key }) => key)).size).toBe(6);
});

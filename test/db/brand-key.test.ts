import { expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('spellings of a brand have one key, which is that of the matches', async () => {
  const keys = {
    "O'Dowd's": 'odowds',
    'O’DOWD’S': 'odowds',
    'Ember & Oak': 'ember and oak',
    'EMBER AND OAK': 'ember and oak',
    Lumière: 'lumiere',
    'Pip & Co.': 'pip and co',
    '7-UP™': '7 uptm',
    ' ': null,
    '!': null,
  };
  const rows = await rowsOf<{ brand: string; key: string | null }>(
    database.db,
    'select brand, marts.brand_key(brand) as key from unnest($1::text[]) as brand',
    [Object.keys(keys)],
  );
  expect(Object.fromEntries(rows.map(({ brand, key }) => [brand, key]))).toEqual(keys);
});

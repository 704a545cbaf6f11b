import { expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('reasons and findings agree in number with their figures', async () => {
  const reason = (code: string, ...figures: number[]) => `ops.reason_in_words('${JSON.stringify({ code, figures })}')`;
  const sentences = {
    [reason('category_unknown', 1)]: 'not in the taxonomy, yet it lists 1 product',
    [reason('category_unknown', 2_341)]: 'not in the taxonomy, yet it lists 2,341 products',
    [reason('category_short', 0, 1, 0)]: '0 of 1 declared product seen, 0 could not be parsed',
    [reason('pages_failed', 1, 21)]: '1 of 21 pages could not be read',
    [reason('fell_lasted', 1, 0)]: '1 product is missing (tolerated: 0), as on the nights before',
    [reason('fell_lasted', 11, 10)]: '11 products are missing (tolerated: 10), as on the nights before',
    [reason('taxonomy_empty')]: 'the taxonomy is empty',
    "ops.finding_in_words('nothing-changed', 1, 1)": expect.stringContaining('for 1 night:'),
    "ops.finding_in_words('unreadable-unit-price', 3, 4)": expect.stringContaining('the unit price of 3 of 4 elements'),
    "ops.finding_in_words('another', 3, 4)": 'another: 3 of 4',
  };
  const said = `select sentence from unnest(array[${Object.keys(sentences)}]) as sentence`;
  const rows = await rowsOf<{ sentence: string }>(database.db, said);
  expect(rows.map(({ sentence }) => sentence)).toEqual(Object.values(sentences));
});

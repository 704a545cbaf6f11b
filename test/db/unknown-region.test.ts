import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test.each([
  "as_of('UK', '2026-03-01')",
  "as_of('england', current_date)",
  "find_products('UK', 'milk')",
  "moved_prices('GB', '2026-03-01', '2026-03-02')",
  "moved_prices('GB', '2026-03-01', '2026-03-02', with_arrivals => true)",
])('marts.%s is refused with the regions that exist', async (asked) => {
  await expect(database.db.query(`select * from marts.${asked}`)).rejects.toThrow(
    /there is no region '\w+'; the regions are uk and ie/,
  );
  const known = asked.replace(/\('\w+'/, "('uk'");
  expect((await database.db.query(`select * from marts.${known}`)).rows).toEqual([]);
});

test('readers of marts have the same answers of the functions', async () => {
  const asReader = (asked: string) =>
    database.db.tx(async (tx) => {
      await tx.query('set local role bi_reader');
      return (await tx.query(`select * from marts.${asked}`)).rows;
    });
  for (const asked of ["as_of('uk', current_date)", "find_products('ie', 'milk')"])
    expect(await asReader(asked)).toEqual([]);
  await expect(asReader("as_of('UK', current_date)")).rejects.toThrow('there is no region');
});

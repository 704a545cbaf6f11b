import { expect, test } from 'vitest';
import { readingSettings } from '../../src/db/reader-role.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test("a statement over sixteen marts is planned within the reader's time limit", async () => {
  const named = Array.from({ length: 16 }, (_, i) => `m${i}`);
  await database.db.tx(async (tx) => {
    for (const [name, value] of Object.entries({ ...readingSettings, statement_timeout: '30s' })) {
      await tx.query(`set local ${name} = '${value}'`);
    }
    const { rows } = await tx.query(
      `explain select count(*) from ${named.map((name) => `marts.dim_category ${name}`).join(', ')}
       where ${named.map((name) => `${name}.category_key = m0.category_key`).join(' and ')}`,
    );
    expect(rows.length).toBeGreaterThan(named.length);
  });
});

import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { fillFewNights } from './few-nights.ts';
import contract from './views-contract.json' with { type: 'json' };

const marts = readdirSync('src/db/views').map((file) => file.replace('.sql', '').replaceAll('-', '_'));

// views-contract.json has the columns of fact views in order.
describe('the contract of marts', () => {
  const database = useDatabase();
  const ask = async (text: string) => (await database.db.query(text)).rows;
  const columns = `from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'marts'::regnamespace and c.relkind in ('v', 'm', 'r') and a.attnum > 0`;

  beforeAll(() => fillFewNights(database.db));

  it('there is one file per view or function, and no other files', async () => {
    const objects = await ask(`
      select relname as name from pg_class where relnamespace = 'marts'::regnamespace and relkind <> 'c'
      union all select proname from pg_proc where pronamespace = 'marts'::regnamespace`);
    expect(objects.map(({ name }) => name).sort()).toEqual([...marts].sort());
  });

  it('fact views keep their columns in order', async () => {
    const found = await ask(
      `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns ${columns} group by 1`,
    );
    expect(Object.fromEntries(found.map(({ name, columns }) => [name, columns]))).toMatchObject(contract);
  });

  it('every view, column and function has a comment', async () => {
    expect(await ask(`select c.relname, a.attname ${columns} and col_description(c.oid, a.attnum) is null`)).toEqual(
      [],
    );
    expect(
      await ask(`select relname from pg_class
        where relnamespace = 'marts'::regnamespace and relkind <> 'c' and obj_description(oid, 'pg_class') is null`),
    ).toEqual([]);
    expect(
      await ask(`select proname from pg_proc
        where pronamespace = 'marts'::regnamespace and obj_description(oid, 'pg_proc') is null`),
    ).toEqual([]);
  });

  it('columns have plain types only: no json, arrays, ranges or enums, and exact amounts', async () => {
    const kinds = await ask(`select distinct format_type(a.atttypid, null) as type ${columns}`);
    const plain = [
      'bigint',
      'boolean',
      'date',
      'double precision',
      'integer',
      'numeric',
      'smallint',
      'text',
      // Opening hours, on the store's own clock.
      'time without time zone',
      'timestamp with time zone',
    ];
    expect(kinds.map(({ type }) => type).filter((type) => !plain.includes(type))).toEqual([]);
    const amounts = await ask(
      // `products_with_loyalty_price` counts products.
      `select c.relname, a.attname ${columns}
         and a.attname ~ 'price$' and a.attname !~ '^products_' and a.atttypid <> 'numeric'::regtype`,
    );
    expect(amounts).toEqual([]);
    const bare = await ask(`select c.relname, a.attname ${columns}
      and a.atttypid = 'numeric'::regtype and a.atttypmod = -1`);
    expect(bare, 'drivers need precision and scale').toEqual([]);
  });

  it('every amount has a currency column', async () => {
    const bare = await ask(`select c.relname ${columns} group by c.relname
      having bool_or(a.attname ~ 'price$') and not bool_or(a.attname ~ '^((uk|ie)_)?currency$')`);
    expect(bare).toEqual([]);
  });

  describe('bi_reader', () => {
    const asReader = (statement: string) =>
      database.db.tx(async (tx) => {
        await tx.query('set local role bi_reader');
        return (await tx.query(statement)).rows;
      });

    it('bi_reader reads every mart and calls as_of', async () => {
      const functions = ['as_of', 'brand_key', 'find_products', 'moved_prices', 'region_parity'];
      for (const mart of marts.filter((name) => !functions.includes(name)))
        await asReader(`select * from marts.${mart} limit 1`);
      expect(await asReader(`select count(*) from marts.as_of('uk', '2026-03-02')`)).toEqual([{ count: 4 }]);
    });

    it("functions run with the caller's rights and resolve names at creation", async () => {
      expect(
        await ask(
          `select prosecdef as is_owners, proconfig as settings, prosqlbody is not null as is_parsed
           from pg_proc
           where proname = 'as_of'`,
        ),
      ).toEqual([{ is_owners: false, settings: null, is_parsed: true }]);
    });

    it.each([
      ["marts.as_of('uk', '2026-03-06')", 'a single select: no function is left to call', /Function Scan/, false],
      [
        "marts.as_of('uk', '2026-03-06') where product_id = '100'",
        'a filter that an index answers',
        /product_region_id/,
        true,
      ],
      [
        "marts.fct_price_daily where region = 'uk' and product_id = '100'",
        'the same for every night of a product',
        /product_region_id/,
        true,
      ],
      [
        "marts.price_index where region = 'uk' and period = 'day'",
        'the table itself, in which the categories of a join can be looked up',
        // `reach` is one row a region and period.
        /Subquery Scan on (?!reach)/,
        false,
      ],
    ])('%s is planned as %s', async (from, _, pattern, isThere) => {
      const plan = await database.db.tx(async (tx) => {
        await tx.query('set local role bi_reader');
        await tx.query('set local enable_seqscan = off');
        return (await tx.query(`explain select * from ${from}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(pattern.test(plan), plan).toBe(isThere);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { readText } from './source-files.ts';

const contract = 'test/house/marts-contract.txt';

describe(contract, () => {
  const database = useDatabase();
  const promised = readText(contract).trim().split('\n');

  it('marts match their contract: no column is lost, retyped or new without a line', async () => {
    const { rows } = await database.db.query<{ line: string }>(`
      select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) as line
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'marts'::regnamespace and c.relkind in ('v', 'm', 'r')
      union all
      select proname || '(' || pg_get_function_arguments(oid) || ') ' || pg_get_function_result(oid)
      from pg_proc where pronamespace = 'marts'::regnamespace`);
    const found = rows.map(({ line }) => line);
    expect({
      lostOrRetyped: promised.filter((line) => !found.includes(line)),
      without: found.filter((line) => !promised.includes(line)),
    }).toEqual({ lostOrRetyped: [], without: [] });
  });

  it('the contract is sorted and has every line once', () => {
    expect(promised).toEqual([...new Set(promised)].sort());
  });
});

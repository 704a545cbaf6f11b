import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';

const tables = [
  'run',
  'certificate',
  'finding',
  'category_crawl',
  'category_page',
  'detail_fetch',
  'quarantine',
  'category_deferred',
  'run_details',
  'detail_visit',
  'payload_profile',
];

/** Contents of the ledger about runs, by table: equal dumps mean that a replay changed nothing in it. */
export async function ledgerDump(sql: Queryable): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const table of tables) {
    const rows = await rowsOf<{ line: string }>(sql, `select t::text as line from ops.${table} t order by 1`);
    dump[table] = rows.map(({ line }) => line);
  }
  return dump;
}

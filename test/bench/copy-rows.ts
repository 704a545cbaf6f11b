import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Database } from '../../src/db/client.ts';

export interface Copied {
  readonly seconds: number;
  readonly rows: number;
  readonly tables: readonly string[];
}

/**
 * Seconds to COPY every row that `catalog` and `ops` hold now into identical empty tables, indexes and checks included.
 */
export async function copyRows(db: Database): Promise<Copied> {
  const tables = await filledTables(db);
  await db.query('create schema bench_copy');
  try {
    let seconds = 0;
    let rows = 0;
    for (const { name, count } of tables) {
      const copy = `bench_copy.${name.replace('.', '_')}`;
      await db.query(`create table ${copy} (like ${name} including all)`);
      await db.withClient(async (client) => {
        const chunks: Buffer[] = [];
        for await (const chunk of client.query(copyTo(`copy ${name} to stdout`))) chunks.push(chunk as Buffer);
        const source = new PassThrough();
        const startedAt = performance.now();
        const copied = pipeline(source, client.query(copyFrom(`copy ${copy} from stdin`)));
        for (const chunk of chunks)
          if (!source.write(chunk)) await new Promise((resolve) => source.once('drain', resolve));
        source.end();
        await copied;
        seconds += (performance.now() - startedAt) / 1_000;
      });
      rows += count;
    }
    return { seconds, rows, tables: tables.map(({ name }) => name) };
  } finally {
    await db.query('drop schema bench_copy cascade');
  }
}

async function filledTables(db: Database): Promise<{ name: string; count: number }[]> {
  const { rows } = await db.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('catalog', 'ops') order by 1`,
  );
  const counted = [];
  for (const { name } of rows) {
    const result = await db.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    counted.push({ name, count: result.rows[0]!.count });
  }
  return counted.filter(({ count }) => count > 0);
}

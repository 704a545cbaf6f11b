import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database } from '../../../src/db/client.ts';
import { rowsOf } from '../../../src/db/rows.ts';

/** Resources of the crawling process and the database, by heading of the report. */
export interface Sample extends Readonly<Record<string, number>> {
  /** Bytes that PostgreSQL keeps, without the queue. */
  readonly kept: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Measures this process and a book, after a vacuum: by the end of a real day autovacuum has run. */
export async function takeSample(db: Database, archive: string): Promise<Sample> {
  await db.query('vacuum');
  const sizes = await rowsOf<{ name: string; bytes: number }>(db, bytesBySchema);
  const [server] = await rowsOf<{ connections: number }>(
    db,
    `select count(*)::int as connections from pg_stat_activity where datname = current_database()`,
  );
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    'resident MB': rss / 2 ** 20,
    'heap MB after collection': heapUsed / 2 ** 20,
    'MB outside the heap': external / 2 ** 20,
    'open files and sockets': openFiles(),
    'resources of the event loop': process.getActiveResourcesInfo().length,
    'connections to PostgreSQL': server!.connections,
    ...Object.fromEntries(sizes.map(({ name, bytes }) => [`${name} MB`, bytes / 2 ** 20])),
    'archive MB': bytesBelow(archive) / 2 ** 20,
    kept: sizes.reduce((sum, { name, bytes }) => sum + (name === 'bullmq' ? 0 : bytes), 0),
  };
}

const bytesBySchema = `
  select n.nspname as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and n.nspname in ('catalog', 'ops', 'derived', 'stage', 'bullmq')
  group by n.nspname`;

/** Zero where the machine does not say. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);
}

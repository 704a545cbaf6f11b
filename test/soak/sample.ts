import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';

/** What the crawling process holds and what the book takes, after a night. Bytes, unless they are counts. */
export interface Sample {
  readonly resident: number;
  readonly heap: number;
  /** Buffers and the like, outside the heap. */
  readonly external: number;
  /** Open files, sockets and pipes of the process. */
  readonly handles: number;
  /** What keeps its event loop busy: sockets, timers, requests. */
  readonly resources: number;
  /** To the servers' databases. */
  readonly connections: number;
  readonly catalog: number;
  readonly ops: number;
  readonly derived: number;
  readonly stage: number;
  /** The queue's schema. */
  readonly queue: number;
  readonly archive: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Measures this process and a book whose archive is in `archive`; vacuums it first, as autovacuum has done by the end
 * of a real day.
 */
export async function takeSample(db: Database, archive: string): Promise<Sample> {
  await db.query('vacuum');
  const sizes = await rowsOf<{ name: string; bytes: number }>(db, bytesBySchema);
  const bytesOf = (name: string) => sizes.find((size) => size.name === name)?.bytes ?? 0;
  const [server] = await rowsOf<{ connections: number }>(db, serverState);
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    resident: rss,
    heap: heapUsed,
    external,
    handles: countOrZero('/proc/self/fd'),
    resources: process.getActiveResourcesInfo().length,
    ...server!,
    catalog: bytesOf('catalog'),
    ops: bytesOf('ops'),
    derived: bytesOf('derived'),
    stage: bytesOf('stage'),
    queue: bytesOf('bullmq'),
    archive: bytesBelow(archive),
  };
}

const bytesBySchema = `
  select n.nspname as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and n.nspname in ('catalog', 'ops', 'derived', 'stage', 'bullmq')
  group by n.nspname`;

const serverState = `
  select count(*)::int as connections from pg_stat_activity where backend_type = 'client backend'`;

/** Zero where the machine does not say. */
function countOrZero(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

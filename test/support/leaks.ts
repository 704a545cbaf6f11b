import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import pg from 'pg';
import { sentinelKey } from './sentinel-key.ts';

/** Throws when the sentinel key was found in any of the places. */
export function expectNoLeak(places: readonly string[]): void {
  if (places.length > 0) throw new Error(`the sentinel key was found in ${places.join(', ')}`);
}

/**
 * Tables of a database that hold `needle` in any column of any type, as text or as bytes; none when there is no such
 * database.
 */
export async function leaksInDatabase(url: string, needle: string = sentinelKey): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind in ('r', 'm') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
    );
    if (tables.length === 0) return [];
    const looks = tables.map(
      ({ name }, i) =>
        `select ${i} as i where exists (
           select from ${name} t
           where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0)`,
    );
    const bytes = Buffer.from(needle).toString('hex');
    const { rows } = await client.query<{ i: number }>(looks.join(' union all '), [needle, bytes]);
    return rows.map(({ i }) => `table ${tables[i]!.name}`);
  } catch (error) {
    if ((error as { code?: string }).code === '3D000') return [];
    throw error;
  } finally {
    await client.end();
  }
}

/** Files below a folder that hold `needle`, packed ones unpacked; none when there is no such folder. */
export async function leaksInFiles(folder: string, needle: string = sentinelKey): Promise<string[]> {
  const hidden = Buffer.from(needle);
  const found: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // A server at work removes files at any moment.
    const content = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (content.includes(hidden) || unpacked(content).includes(hidden)) found.push(join(entry.parentPath, entry.name));
  }
  return found;
}

/** Redis keys that contain `needle` in their names or values of any type. */
export async function leaksInRedis(url: string, needle: string = sentinelKey): Promise<string[]> {
  const client = new Redis(url);
  try {
    const found: string[] = [];
    for await (const keys of client.scanStream({ count: 1_000 })) {
      for (const key of keys as string[]) {
        const read = readers[await client.type(key)];
        const value = JSON.stringify(read ? await read(client, key) : null);
        if (key.includes(needle) || value.includes(needle)) found.push(`Redis key ${key}`);
      }
    }
    return found;
  } finally {
    client.disconnect();
  }
}

const readers: Readonly<Record<string, (client: Redis, key: string) => Promise<unknown>>> = {
  string: (client, key) => client.get(key),
  list: (client, key) => client.lrange(key, 0, -1),
  set: (client, key) => client.smembers(key),
  zset: (client, key) => client.zrange(key, '0', '-1'),
  hash: (client, key) => client.hgetall(key),
  stream: (client, key) => client.xrange(key, '-', '+'),
};

/** A pack is many gzip members; one that a killed process left half written ends in a damaged one. */
function unpacked(content: Buffer): Buffer {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return Buffer.alloc(0);
  try {
    return gunzipSync(content);
  } catch {
    return Buffer.alloc(0);
  }
}

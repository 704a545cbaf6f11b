import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { expectNoLeak, leaksInDatabase, leaksInFiles, leaksInRedis } from '../support/leaks.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

// Not the sentinel: that must not be found after the suite.
const needle = 'needle(1)-in-the-hay';

describe('the search for a leaked key', () => {
  const database = useDatabase({ from: 'empty' });

  test('a leaked key is found in columns of every type, of every schema, and nowhere else', async () => {
    const { db, url } = database;
    await db.query(`create schema other;
      create table plain (id int, said text); create table other."Odd ""name" (bytes bytea);
      create table listed (many text[]); create table formed (value jsonb); create table empty (said text)`);
    expect(await leaksInDatabase(url, needle)).toEqual([]);
    await db.query('insert into plain values (1, $1)', [`x${needle}x`]);
    await db.query('insert into other."Odd ""name" values ($1)', [Buffer.from(`x${needle}`)]);
    await db.query('insert into listed values ($1)', [['a', needle]]);
    await db.query('insert into formed values ($1)', [{ a: { b: needle }, long: 'x'.repeat(100_000) }]);
    expect((await leaksInDatabase(url, needle)).sort()).toEqual([
      'table formed',
      'table listed',
      'table other."Odd ""name"',
      'table plain',
    ]);
  });

  test('a leaked key is found in files, including packs of several members', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pricebook-leaks-'));
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    writeFileSync(join(folder, 'clean.log'), 'nothing');
    writeFileSync(join(folder, 'deep/er/a.log'), `1\n${needle}\n`);
    writeFileSync(join(folder, 'deep/b.pack.gz'), Buffer.concat([gzipSync('first'), gzipSync(`second ${needle}`)]));
    expect((await leaksInFiles(folder, needle)).sort()).toEqual([
      join(folder, 'deep/b.pack.gz'),
      join(folder, 'deep/er/a.log'),
    ]);
    expect(await leaksInFiles(join(folder, 'absent'), needle)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test.runIf(isRedisInstalled)('a leaked key is found in values of every type and in names', async () => {
    const server = await startRedis();
    const client = new Redis(server.url);
    await client.set('string', `x${needle}`);
    await client.hset('hash', 'field', needle);
    await client.lpush('list', needle, 'other');
    await client.sadd('set', needle);
    await client.zadd('sorted', 1, needle);
    await client.xadd('stream', '*', 'field', needle);
    await client.set(`name ${needle}`, 'x');
    await client.set('clean', 'x');
    const found = await leaksInRedis(server.url, needle);
    client.disconnect();
    await server.stop();
    expect(found).toHaveLength(7);
  });

  test('a leaked key fails the check', () => {
    expect(() => expectNoLeak(['table a', 'table b'])).toThrow('found in table a, table b');
    expect(() => expectNoLeak([])).not.toThrow();
  });
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { ServerUnable, ServerUnreachable } from '../../src/base/errors.ts';
import { createDatabase } from '../../src/db/client.ts';
import { useDatabase } from '../support/database.ts';
import { databaseUrl } from '../support/database-url.ts';

describe('db/client', () => {
  const database = useDatabase({ from: 'empty' });

  it('values are read exactly: big counts as numbers, decimals and dates as strings, instants as Date', async () => {
    const { rows } = await database.db.query(`
      select 9007199254740991::int8 as count, array[1, null, 3]::int8[] as counts,
        12.340::numeric as price, array[0.10]::numeric[] as prices,
        date '2026-03-29' as day, array[date '2026-03-29'] as days,
        timestamptz '2026-03-29 01:00+00' as at`);
    expect(rows).toEqual([
      {
        count: 9007199254740991,
        counts: [1, null, 3],
        price: '12.340',
        prices: ['0.10'],
        day: '2026-03-29',
        days: ['2026-03-29'],
        at: new Date('2026-03-29T01:00:00Z'),
      },
    ]);
    await expect(database.db.query('select 9007199254740993::int8')).rejects.toThrow(RangeError);
  });

  it('rows of the query builder have the values of other statements, and its failures their kinds', async () => {
    const { orm } = database.db;
    const made = await orm.execute(sql`select 3::int8 as count, date '2026-03-29' as day`);
    expect(made.rows).toEqual([{ count: 3, day: '2026-03-29' }]);
    const away = createDatabase({ url: 'postgres://someone@127.0.0.1:1/nothing', applicationName: 'test' });
    await expect(away.orm.execute(sql`select 1`)).rejects.toMatchObject({ kind: 'server_away' });
    await away.end();
  });

  it('a transaction that its process leaves idle gives back its locks', async () => {
    const { db } = database;
    await db.query('create table idle (id int); insert into idle values (1)');
    const idle = db.tx(
      async (tx) => {
        await tx.query('select * from idle for update');
        // Waits for the lock of this transaction, which is idle meanwhile.
        await db.query('update idle set id = 2');
        await tx.query('select 1');
      },
      { idleTimeoutMs: 200, attempts: 1 },
    );
    await expect(idle).rejects.toBeInstanceOf(ServerUnreachable);
    expect((await db.query('select id from idle')).rows).toEqual([{ id: 2 }]);
  });

  it('every connection keeps plans of functions and uses UTC, also with options in the URL', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=7MB');
    const db = createDatabase({ url: url.href, applicationName: 'pricebook crawl' });
    const { rows } = await db.query(`select current_setting('plan_cache_mode') as plans,
      current_setting('TimeZone') as zone, current_setting('work_mem') as memory,
      current_setting('application_name') as name`);
    await db.end();
    expect(rows).toEqual([{ plans: 'auto', zone: 'UTC', memory: '7MB', name: 'pricebook crawl' }]);
  });

  it('connection errors name the variable to correct', async () => {
    const attempt = async (url: string) => {
      const db = createDatabase({ url, applicationName: 'test' });
      return await db.query('select 1').then(
        () => null,
        (error: unknown) => error,
      );
    };
    const wrongPassword = new URL(database.url);
    wrongPassword.password = 'hunter2';
    const failures = [
      await attempt('postgres://someone:hunter2@127.0.0.1:1/nothing'),
      await attempt(databaseUrl(database.url, 'nothing_here')),
      ...(new URL(database.url).password ? [await attempt(wrongPassword.href)] : []),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ServerUnreachable);
      expect(String(failure)).toContain('DATABASE_URL');
      expect(String(failure)).not.toContain('hunter2');
    }
  });

  it('a server that cannot serve is reported with advice', async () => {
    const fails = (sqlState: string) =>
      database.db.query(`do $$ begin raise 'it cannot' using errcode = '${sqlState}'; end $$`).catch((error) => error);
    const advised = {
      '53100': 'Make room',
      '53200': 'more memory',
      '53300': 'max_connections',
      '57014': 'statement_timeout',
    };
    for (const [sqlState, advice] of Object.entries(advised)) {
      const failure = await fails(sqlState);
      expect(failure).toBeInstanceOf(ServerUnable);
      expect(failure.message).toContain('it cannot');
      expect(failure.message).toContain(advice);
    }
  });

  describe('a statement outside transactions whose connection breaks', () => {
    /** A connection to the server that breaks after a number of responses. */
    async function breakingWay(breakAt: (fromClient: string) => boolean) {
      const { hostname, port } = new URL(database.url);
      const way = createServer((near) => {
        const far = connect(Number(port || 5432), hostname);
        let isBreaking = false;
        near.on('error', () => far.destroy()).on('close', () => far.destroy());
        far.on('error', () => near.destroy());
        near.on('data', (bytes) => {
          if (breakAt(bytes.toString('latin1'))) isBreaking = true;
          far.write(bytes);
        });
        far.on('data', (bytes) => (isBreaking ? near.destroy() : near.write(bytes)));
      }).listen(0, '127.0.0.1');
      await once(way, 'listening');
      const url = new URL(database.url);
      url.hostname = '127.0.0.1';
      url.port = String((way.address() as AddressInfo).port);
      return { db: createDatabase({ url: url.href, applicationName: 'broken' }), close: () => way.close() };
    }

    it('a read is repeated if its connection breaks', async () => {
      let left = 1;
      const { db, close } = await breakingWay((bytes) => bytes.includes('as mark') && left-- > 0);
      expect((await db.query('select 7 as mark')).rows).toEqual([{ mark: 7 }]);
      expect(left).toBe(-1);
      await db.end();
      close();
    });

    it('a statement that may have been executed is not repeated', async () => {
      await database.db.query('create table written (n int)');
      let left = 1;
      const { db, close } = await breakingWay((bytes) => bytes.includes('into written') && left-- > 0);
      await expect(db.query('insert into written values (1)')).rejects.toThrow(ServerUnreachable);
      await db.query('insert into written values (2)');
      await expect.poll(async () => (await db.query('select n from written order by n')).rows.length).toBe(2);
      await db.end();
      close();
    });

    it('a statement is repeated if the server ended it, and is executed once', async () => {
      await database.db.query('create table ended (n int)');
      const db = createDatabase({ url: database.url, applicationName: 'ended' });
      await db.query('select 1');
      let writing: Promise<unknown> | undefined;
      await database.db.tx(async (tx) => {
        await tx.query('lock table ended');
        writing = db.query('insert into ended values (1)');
        const end = `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
          where application_name = 'ended' and state = 'active'`;
        await expect.poll(async () => (await database.db.query(end)).rows[0]).toEqual({ ended: 1 });
      });
      await writing;
      expect((await database.db.query('select n from ended')).rows).toEqual([{ n: 1 }]);
      await db.end();
    });
  });

  describe('tx', () => {
    it('a transaction is retried after a deadlock until both sides succeed', async () => {
      await database.db.query('create table pair (id int primary key, n int); insert into pair values (1, 0), (2, 0)');
      let runs = 0;
      const locked: number[] = [];
      const both = (first: number, second: number) =>
        database.db.tx(async (tx) => {
          runs++;
          await tx.query('update pair set n = n + 1 where id = $1', [first]);
          locked.push(first);
          while (locked.length < 2) await sleep(5);
          await tx.query('update pair set n = n + 1 where id = $1', [second]);
        });
      await Promise.all([both(1, 2), both(2, 1)]);
      expect(runs).toBeGreaterThan(2);
      expect((await database.db.query('select n from pair order by id')).rows).toEqual([{ n: 2 }, { n: 2 }]);
    });

    it('a transaction gives up on a lock after the allowed attempts', async () => {
      await database.db.query('create table guarded (n int)');
      let runs = 0;
      await database.db.tx(async (holder) => {
        await holder.query('lock table guarded');
        const blocked = database.db.tx(
          async (tx) => {
            runs++;
            await tx.query('select * from guarded');
          },
          { lockTimeoutMs: 20, attempts: 3 },
        );
        await expect(blocked).rejects.toMatchObject({ code: '55P03' });
      });
      expect(runs).toBe(3);
    });

    it('a transaction is retried if the connection is lost before the commit', async () => {
      await database.db.query('create table survived (n int)');
      let runs = 0;
      await database.db.tx(async (tx) => {
        await tx.query('insert into survived values (1)');
        if (++runs > 1) return;
        const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await database.db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await tx.query('select 1');
      });
      expect(runs).toBe(2);
      expect((await database.db.query('select count(*) as count from survived')).rows).toEqual([{ count: 1 }]);
    });

    it('a transaction that PostgreSQL rolled back is not reported as committed', async () => {
      const unnoticed = database.db.tx(async (tx) => {
        await tx.query('select 1 / 0').catch(() => {});
      });
      await expect(unnoticed).rejects.toThrow('rolled back');
    });
  });

  it('the pool survives the loss of idle connections', async () => {
    await Promise.all([1, 2, 3].map(() => database.db.query('select pg_sleep(0.05)')));
    await database.db.query(
      `select pg_terminate_backend(pid)
       from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await expect.poll(() => database.db.pool.totalCount).toBe(1);
    const answers = await Promise.all([1, 2, 3].map((n) => database.db.query('select $1::int as n', [n])));
    expect(answers.map(({ rows }) => rows[0]?.['n'])).toEqual([1, 2, 3]);
  });
});

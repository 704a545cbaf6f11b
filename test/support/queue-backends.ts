import pg from 'pg';
import { describe } from 'vitest';
import type { Installation } from './crawl.ts';
import { hooksOf, type TestDatabaseOptions, useDatabase } from './database.ts';
import { isRedisInstalled, type RedisServer, startRedis } from './redis-server.ts';

/** An installation of one's own, and what can befall its queue. */
export interface TestInstallation extends Installation {
  /** All jobs are lost, as after a crash without persistence. */
  loseQueue(): Promise<void>;
}

const backends = ['PostgreSQL', 'Redis'] as const;

/**
 * The same tests for an installation on each queue backend; without a redis-server its half is skipped. `isChosen` is
 * true for one of
 * them: where the queue makes no difference a test of that one is enough.
 */
export function describeOnEachQueue(
  title: string,
  tests: (installation: TestInstallation, isChosen: boolean) => void,
  options: TestDatabaseOptions = {},
): void {
  for (const backend of backends) {
    const isMissing = backend === 'Redis' && !isRedisInstalled;
    describe.skipIf(isMissing)(`${title}, on ${backend}${isMissing ? ' (redis-server is not installed)' : ''}`, () => {
      tests(useInstallation(backend, options), backend === anyBackend);
    });
  }
}

/** For tests independent of the queue: a night takes a quarter less time on Redis. TEST_QUEUE selects the other one. */
const anyBackend =
  backends.find((backend) => backend === process.env['TEST_QUEUE']) ?? (isRedisInstalled ? 'Redis' : 'PostgreSQL');

/** A database and a queue for all tests of the block, gone after them. */
export function useInstallation(
  backend: (typeof backends)[number] = anyBackend,
  options: TestDatabaseOptions = {},
): TestInstallation {
  const database = useDatabase(options);
  const { before, after } = hooksOf(options);
  let redis: RedisServer | null = null;
  before(async () => {
    if (backend === 'Redis') redis = await startRedis();
  });
  after(() => redis?.stop());
  return {
    get databaseUrl() {
      return database.url;
    },
    get db() {
      return database.db;
    },
    get queue(): Readonly<Record<string, string>> {
      return redis ? { REDIS_URL: redis.url } : {};
    },
    async loseQueue() {
      if (redis) return redis.flush();
      await emptyQueue(database.url);
    },
  };
}

async function emptyQueue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname = 'bullmq' and tablename not like '%migration%'`,
    );
    await untilNoDeadlock(() => client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`));
  } finally {
    await client.end();
  }
}

/**
 * Truncating locks every table in one order, the queue's own statements lock them in others: PostgreSQL ends one of the
 * two.
 */
async function untilNoDeadlock(truncate: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await truncate();
      return;
    } catch (error) {
      const deadlock = error instanceof pg.DatabaseError && error.code === '40P01';
      if (!deadlock || attempt === 10) throw error;
    }
  }
}

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ServerUnreachable } from '../../src/base/errors.ts';
import { holdLock } from '../../src/db/hold-lock.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase({ from: 'empty' });
const onTaken = () => undefined;
/** Of this database only: other tests hold locks in theirs. */
const cutHolder = `
  select pg_terminate_backend(l.pid)
  from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.granted and d.datname = current_database()`;

test('work whose lock is lost with its connection is aborted before another process works', async () => {
  const { db } = database;
  const seen: string[] = [];
  const first = holdLock(
    db,
    'shadow',
    async (held) => {
      seen.push('first begins');
      if (!held.aborted) await once(held, 'abort');
      seen.push('first is aborted');
    },
    { onTaken },
  );
  const outcome = expect(first).rejects.toThrow(ServerUnreachable);
  await expect.poll(() => seen).toEqual(['first begins']);
  await db.query(cutHolder);
  await outcome;
  await holdLock(db, 'shadow', async () => void seen.push('second works'), { onTaken });
  expect(seen).toEqual(['first begins', 'first is aborted', 'second works']);
});

test('work that ends although its lock was lost does not count as done', async () => {
  const { db } = database;
  const ignoring = holdLock(
    db,
    'shadow',
    async (held) => {
      await db.query(cutHolder);
      if (!held.aborted) await once(held, 'abort');
      return 'done';
    },
    { onTaken },
  );
  await expect(ignoring).rejects.toThrow(ServerUnreachable);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { registerWorker } from '../../src/crawl/workers.ts';
import { camelRows } from '../../src/db/rows.ts';
import { withDatabase } from '../support/database.ts';

const read = (db: Parameters<typeof camelRows>[0]) =>
  camelRows<{ id: string; isAlive: boolean; since: Date }>(
    db,
    'select worker_id as id, alive_until > clock_timestamp() as is_alive, started_at as since from ops.worker',
  );

test('a worker whose registration was deleted registers again and removes the registration when it ends', async () => {
  await withDatabase(async ({ db }) => {
    const worker = await registerWorker(db, systemClock, { pid: process.pid, command: 'work', key: 'a print' });
    const before = await read(db);
    expect(before).toMatchObject([{ id: worker.workerId, isAlive: true }]);

    await db.query('delete from ops.worker');
    await vi.waitFor(async () => expect(await read(db)).toEqual(before), { timeout: 30_000, interval: 100 });

    await worker.close();
    expect(await read(db)).toEqual([]);
  });
});

test('a worker releases units of dead processes of its own machine only', async () => {
  await withDatabase(async ({ db }) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)']);
    const dead = { pid: child.pid!, command: 'work', key: 'a print' };
    const theirs = await registerWorker(db, systemClock, { ...dead, space: 'same-name boot-1 pid:[2]' });
    const ours = await registerWorker(db, systemClock, { ...dead, space: 'same-name boot-1 pid:[1]' });
    child.kill('SIGKILL');
    await once(child, 'exit');

    const living = { ...dead, pid: process.pid, space: 'same-name boot-1 pid:[1]' };
    const next = await registerWorker(db, systemClock, living);
    expect((await read(db)).map(({ id }) => id).sort()).toEqual([theirs.workerId, next.workerId].sort());
    await Promise.all([theirs, ours, next].map((worker) => worker.close()));
  });
});

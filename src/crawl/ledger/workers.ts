import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import type { Askable, Database } from '../../db/client.ts';
import { asServerError } from '../../db/connection-error.ts';
import { rowsOf } from '../../db/rows.ts';

/** How long a silent worker counts as alive: a killed one's pages are free again this soon. */
const aliveForMs = 8_000;
const heartbeatMs = 2_000;

/** This process as a worker: registered, kept alive by heartbeats, taken off when it ends. */
export async function registerWorker(
  db: Database,
  clock: Clock,
  { pid, command, key }: { readonly pid: number; readonly command: string; readonly key: string },
): Promise<WorkerRegistration> {
  const workerId = randomUUID();
  const registration = [workerId, hostname(), pid, command, clock.now(), aliveForMs, key];
  await db.query(register, registration);
  await db.query(`delete from ops.worker where alive_until < clock_timestamp() - interval '1 day'`);
  await forgetDead(db);
  let heartbeat: Promise<void> | null = null;
  const timer = setInterval(() => {
    heartbeat ??= beat();
  }, heartbeatMs);
  return {
    workerId,
    async close() {
      clearInterval(timer);
      // One that is under way would register the worker again after it was taken off.
      await heartbeat;
      await db.query(`delete from ops.worker where worker_id = $1`, [workerId]).catch(() => undefined);
    },
  };

  /** While the database is away the lease runs out, which is what it is for. */
  async function beat(): Promise<void> {
    await db.query(register, registration).catch(() => undefined);
    heartbeat = null;
  }
}

/**
 * Also the heartbeat: a registration that was deleted is there again. Leases compare workers of several machines, so
 * the database's clock counts, not the program's.
 */
const register = `
  insert into ops.worker (worker_id, host, pid, command, started_at, alive_until, key)
  values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms', $7)
  on conflict (worker_id) do update set alive_until = excluded.alive_until`;

/**
 * Workers of this machine whose process is gone: a command that is started again need not wait for their leases to run
 * out.
 */
async function forgetDead(db: Database): Promise<void> {
  const rows = await rowsOf<{ worker_id: string; pid: number }>(
    db,
    'select worker_id, pid from ops.worker where host = $1 and alive_until > clock_timestamp()',
    [hostname()],
  );
  const dead = rows.filter(({ pid }) => !isRunning(pid)).map(({ worker_id }) => worker_id);
  if (dead.length > 0) await db.query('delete from ops.worker where worker_id = any($1)', [dead]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Ids of living processes that crawl. */
export async function readLivingWorkers(db: Askable): Promise<string[]> {
  const rows = await rowsOf<{ workerId: string }>(
    db,
    'select worker_id as "workerId" from ops.worker where alive_until > clock_timestamp() order by started_at, worker_id',
  );
  return rows.map(({ workerId }) => workerId);
}

interface WorkerRegistration {
  readonly workerId: string;
  close(): Promise<void>;
}

/**
 * Holds a lock on the worker's id as long as `use` takes, by which others know that it lives (units.ts), and listens to
 * a channel. The lock is gone the moment its connection is: `onLost`.
 */
export function holdWorkerLock<Result>(
  db: Database,
  workerId: string,
  channel: string,
  { onNotice, onLost }: { onNotice(payload: string): void; onLost(error: Error): void },
  use: () => Promise<Result>,
): Promise<Result> {
  return db.withClient(async (connection) => {
    const onNotification = ({ payload = '' }: { payload?: string | undefined }) => onNotice(payload);
    const onError = (error: Error) => onLost(asServerError(error) as Error);
    connection.on('notification', onNotification);
    connection.on('error', onError);
    try {
      await connection.query(`listen ${channel}`);
      await connection.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [workerId]);
      return await use();
    } finally {
      connection.off('notification', onNotification);
      connection.off('error', onError);
      await connection.query(`unlisten ${channel}; select pg_advisory_unlock_all()`).catch(() => undefined);
    }
  });
}

/** SQL: the lease on this row's `worker_id` counts no longer. */
export const isUnleased = `(worker_id is null or not exists (
  select from ops.worker w where w.worker_id = u.worker_id and w.alive_until > clock_timestamp()))`;

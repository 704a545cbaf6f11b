import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { processSpace } from '../../base/process-space.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

interface WorkerProcess {
  readonly pid: number;
  readonly command: string;
  /** Print of its key. */
  readonly key: string;
  /** Where the process id holds; null: unknown. */
  readonly space?: string | null;
}

/** Milliseconds after its last heartbeat for which a worker counts as alive. */
const aliveForMs = 8_000;
const heartbeatMs = 2_000;

/** Registers this process as a worker and renews it by heartbeats until it is closed. */
export async function registerWorker(
  db: Database,
  clock: Clock,
  { pid, command, key, space = processSpace() }: WorkerProcess,
): Promise<WorkerRegistration> {
  const workerId = randomUUID();
  const registration = [workerId, space ?? hostname(), pid, command, clock.now(), aliveForMs, key];
  await db.query(register, registration);
  await db.query(`delete from ops.worker where alive_until < clock_timestamp() - interval '1 day'`);
  if (space !== null) await forgetDead(db, space);
  let heartbeat: Promise<void> | null = null;
  const timer = setInterval(() => {
    heartbeat ??= beat();
  }, heartbeatMs);
  return {
    workerId,
    async close() {
      clearInterval(timer);
      // A heartbeat in progress would register the worker again after its deletion.
      await heartbeat;
      await db.query(`delete from ops.worker where worker_id = $1`, [workerId]).catch(() => undefined);
    },
  };

  /** Ignores errors: if the database is unreachable, the lease is supposed to expire. */
  async function beat(): Promise<void> {
    await db.query(register, registration).catch(() => undefined);
    heartbeat = null;
  }
}

/**
 * Also serves as heartbeat: it restores a deleted registration. Expiry uses the database's clock, because workers run
 * on several machines.
 */
const register = `
  insert into ops.worker (worker_id, host, pid, command, started_at, alive_until, key)
  values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms', $7)
  on conflict (worker_id) do update set alive_until = excluded.alive_until`;

/**
 * Deletes workers of this machine or container whose process has ended, so that a restarted command need not wait for
 * their leases.
 */
async function forgetDead(db: Database, space: string): Promise<void> {
  const rows = await rowsOf<{ worker_id: string; pid: number }>(
    db,
    'select worker_id, pid from ops.worker where host = $1 and alive_until > clock_timestamp()',
    [space],
  );
  const dead = rows.filter(({ pid }) => !isRunning(pid)).map(({ worker_id }) => worker_id);
  if (dead.length > 0) await db.query('delete from ops.worker where worker_id = any($1)', [dead]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs as another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Ids of live crawling processes, oldest first. */
export async function readLivingWorkers(db: Queryable): Promise<string[]> {
  const rows = await rowsOf<{ workerId: string }>(
    db,
    `select worker_id as "workerId" from ops.worker
     where alive_until > clock_timestamp() order by started_at, worker_id`,
  );
  return rows.map(({ workerId }) => workerId);
}

interface WorkerRegistration {
  readonly workerId: string;
  close(): Promise<void>;
}

/** SQL on a row `u`: nobody holds it, or its worker's heartbeat has expired. */
export const isUnleased = `(worker_id is null or not exists (
  select from ops.worker w where w.worker_id = u.worker_id and w.alive_until > clock_timestamp()))`;

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Clock } from '../base/clock.ts';
import { processSpace } from '../base/process-space.ts';
import type { Database } from '../db/client.ts';
import { worker } from '../db/tables/index.ts';

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
  await db.orm.delete(worker).where(lt(worker.aliveUntil, sql`clock_timestamp() - interval '1 day'`));
  if (space !== null) await forgetDead(db, space);
  let heartbeat: Promise<void> | null = null;
  let beatMs = performance.now();
  let holdFromMs = beatMs;
  const timer = setInterval(() => {
    heartbeat ??= beat();
  }, heartbeatMs);
  return {
    workerId,
    holds: (claimedMs) => claimedMs >= holdFromMs && performance.now() - beatMs < aliveForMs,
    async close() {
      clearInterval(timer);
      // A heartbeat in progress would register the worker again after its deletion.
      await heartbeat;
      await db.orm
        .delete(worker)
        .where(eq(worker.workerId, workerId))
        .catch(() => undefined);
    },
  };

  /** Ignores errors: if the database is unreachable, the claims are supposed to end. */
  async function beat(): Promise<void> {
    const nowMs = performance.now();
    try {
      await db.query(register, registration);
      // It was stopped or cut off for so long that others may have its units.
      if (nowMs - beatMs > aliveForMs) holdFromMs = nowMs;
      beatMs = nowMs;
    } catch {}
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

const isAlive = gt(worker.aliveUntil, sql`clock_timestamp()`);

/**
 * Deletes workers of this machine or container whose process has ended, so that a restarted command need not wait for
 * the end of their claims.
 */
async function forgetDead(db: Database, space: string): Promise<void> {
  const rows = await db.orm
    .select()
    .from(worker)
    .where(and(eq(worker.host, space), isAlive));
  const dead = rows.filter(({ pid }) => !isRunning(pid)).map(({ workerId }) => workerId);
  if (dead.length > 0) await db.orm.delete(worker).where(inArray(worker.workerId, dead));
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
export async function readLivingWorkers({ orm }: Pick<Database, 'orm'>): Promise<string[]> {
  const rows = await orm.select().from(worker).where(isAlive).orderBy(worker.startedAt, worker.workerId);
  return rows.map(({ workerId }) => workerId);
}

/** A worker's life. */
export interface WorkerLife {
  readonly workerId: string;
  /**
   * Whether units claimed at that time (`performance.now()`) are still this worker's: since then, no two heartbeats
   * were so far apart that others could take them.
   */
  holds(claimedMs: number): boolean;
}

interface WorkerRegistration extends WorkerLife {
  close(): Promise<void>;
}

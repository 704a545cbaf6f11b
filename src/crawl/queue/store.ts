import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisBackend, type Queue, type Worker, withBackend } from 'bullmq';
import { limitLines } from '../../base/limited-lines.ts';
import { createOutage, type Outage } from '../../base/outage.ts';
import { createPatience } from './patient-backend.ts';
import { openPostgres, type QueueDatabase } from './postgres.ts';
import { asRedisError, forget, isRedisConnectionError, isRefusal, openRedis } from './redis.ts';

/** A queue with a name. */
export interface JobQueue {
  add(key: string, payload: object): Promise<void>;
  /** Repeats `payload` by cron in a time zone. Writes to the scheduler only if its definition changed. */
  repeat(id: string, when: Repeat, payload: object): Promise<void>;
  close(): Promise<void>;
}

export interface Repeat {
  readonly pattern: string;
  readonly timeZone: string;
}

export interface JobWorker {
  /** Takes no new jobs; resolves when those in progress have finished. */
  close(): Promise<void>;
}

/** Finished jobs leave the queue at once. */
type JobState = 'waiting' | 'active' | 'delayed';

export type Processor = (payload: unknown, signal: AbortSignal) => Promise<void>;

/** Storage of the queues, on Redis or PostgreSQL. No other code distinguishes the two. */
export interface QueueStore {
  readonly kind: 'redis' | 'postgres';
  queue(name: string): JobQueue;
  worker(name: string, concurrency: number, process: Processor): JobWorker;
  /** BullMQ's view of a queue, for inspection only. */
  look(name: string): Queue;
  /** Number of jobs of a queue in each state. */
  depths(name: string): Promise<Readonly<Record<JobState, number>>>;
  /** Rejects or hangs while the server is unreachable. */
  ping(): Promise<void>;
  /** Deletes all queues with their jobs. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

interface Log {
  warn(fields: object, message: string): void;
}

/**
 * A job of a killed worker runs again after its lock and two checks have expired (6.5 s measured). A job has one
 * attempt, because the ledger retries and bounds the work; it may therefore stall any number of times. After a
 * connection error, a worker retries every second (BullMQ: 15 s).
 */
const workerOptions = { lockDuration: 5_000, maxStalledCount: 1_000, runRetryDelay: 1_000 };
/**
 * Milliseconds between two checks for jobs of killed workers. Each check writes, so an idle process checks less often.
 */
const stalledCheckMs = { busy: 5_000, idle: 30_000 };
/** A new process counts as busy for this time, because it may replace a killed one. */
const startedMs = 60_000;
/** `{ count }` would halve the rate and deadlock; the key of a kept job could not be queued again. */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
/** Covers a server restart, which takes up to two seconds. */
const addAttempts = 6;
const firstAddRestMs = 50;

/**
 * BullMQ on a Redis server. Refuses servers that may evict jobs. Commands that a server refuses later, as a replica or
 * without memory, wait until it serves again.
 */
export async function createRedisStore(url: string, log: Log, namespace = 'pricebook'): Promise<QueueStore> {
  const lost = createOutage(log, isRedisConnectionError);
  const sayRefused = limitLines((fields, message) => log.warn(fields, message));
  const outage: Outage = {
    ...lost,
    met(error, message, fields) {
      if (!isRefusal(error)) return lost.met(error, message, fields);
      // A command that waited was ended; the next one is told why.
      if (error.message.startsWith('UNBLOCKED')) return;
      // One kind of line, whatever is refused and why: commands of one outage are refused with different reasons.
      sayRefused({ refusal: error.message }, 'Redis refuses; work goes on when it serves again');
    },
  };
  const patience = createPatience({
    isRefusal,
    onRefusal: (error) => outage.met(error, ''),
    onServing: outage.ended,
  });
  const connection = await openRedis(url, {
    ...outage,
    // A connection may be made to a server that goes on refusing.
    ended: () => (patience.isRefused() ? undefined : outage.ended()),
  });
  const prefix = `{${namespace}}`;
  const classes = withBackend((name, options, uses) => patience.wrap(createRedisBackend(name, options as never, uses)));
  return createStore(outage, {
    kind: 'redis',
    classes: classes as unknown as QueueClasses,
    optionsOf: () => ({ connection, prefix }),
    async erase() {
      await forget(connection, `${prefix}:`).catch(asRedisError);
    },
    async ping() {
      await connection.ping().catch(asRedisError);
    },
    async close() {
      patience.stop();
      connection.disconnect();
    },
  });
}

/** Error classification by the database layer. */
interface ErrorKinds {
  /** Whether the connection failed, as opposed to the statement. */
  isConnectionError(error: unknown): boolean;
  /** Whether the same statement may succeed when repeated. */
  isTransient(error: unknown): boolean;
  /** Converts a connection error to `ServerUnreachable`. */
  asServerError(error: unknown): unknown;
}

/** BullMQ on PostgreSQL, in a schema of the same database. Closing the store closes `database`. */
export async function createPostgresStore(database: QueueDatabase, log: Log, errors: ErrorKinds): Promise<QueueStore> {
  const outage = createOutage(log, errors.isConnectionError);
  const { classes, recover, close } = await openPostgres(database, outage).catch(async (error) => {
    await database.end();
    throw error;
  });
  return createStore(outage, {
    kind: 'postgres',
    classes: classes as unknown as QueueClasses,
    // Notifications wake a worker; `drainDelay` is the polling interval in seconds without one.
    optionsOf: () => ({ connection: database.pool, drainDelay: 300 }),
    errors,
    async recover(error) {
      const isRecovered = await recover(error);
      if (isRecovered)
        log.warn({}, "the queue's schema was dropped; it was recreated and is filled again from the ledger");
      return isRecovered;
    },
    async erase() {
      await database.pool.query('drop schema if exists bullmq cascade');
    },
    async ping() {
      await database.pool.query('select 1');
    },
    close,
  });
}

interface QueueClasses {
  Queue: typeof Queue;
  Worker: typeof Worker;
}

interface QueueServer extends Pick<QueueStore, 'kind' | 'erase' | 'ping' | 'close'> {
  readonly classes: QueueClasses;
  /** BullMQ's options for its queues. */
  optionsOf(): object;
  /** Not set if the client itself repeats failed commands. */
  readonly errors?: ErrorKinds;
  recover?(error: unknown): Promise<boolean>;
}

function createStore(outage: Outage, server: QueueServer): QueueStore {
  const { kind, classes, optionsOf, ping, erase } = server;
  const queues: Queue[] = [];
  const looked = new Map<string, Queue>();
  const openedMs = performance.now();
  let inProgress = 0;
  const isBusy = () => inProgress > 0 || performance.now() - openedMs < startedMs;

  const openQueue = (name: string, options: object): Queue => {
    const queue = new classes.Queue(name, { ...optionsOf(), ...options } as never);
    queue.on('error', (error) => outage.met(error, 'a queue failed', { queue: name }));
    queues.push(queue);
    return queue;
  };

  const openWorker = (name: string, concurrency: number, process: Processor): JobWorker => {
    const worker = new classes.Worker(
      name,
      async (job, _token, signal) => {
        inProgress += 1;
        try {
          await process(job.data, signal ?? new AbortController().signal);
        } finally {
          inProgress -= 1;
        }
      },
      { ...optionsOf(), ...workerOptions, stalledInterval: stalledCheckMs.busy, concurrency } as never,
    );
    Object.defineProperty(worker.opts, 'stalledInterval', {
      get: () => (isBusy() ? stalledCheckMs.busy : stalledCheckMs.idle),
    });
    worker.on('error', (error) => {
      outage.met(error, 'a queue worker failed', { queue: name });
      server.recover?.(error).catch(() => undefined);
    });
    // BullMQ continues a job whose lock was lost, although another worker may take it.
    worker.on('lockRenewalFailed', (jobIds: string[]) => {
      for (const id of jobIds) worker.cancelJob(id, 'its lock was lost');
    });
    return { close: () => worker.close() };
  };

  const look = (name: string): Queue => {
    const queue = looked.get(name) ?? openQueue(name, {});
    looked.set(name, queue);
    return queue;
  };

  return {
    kind,
    queue(name) {
      const queue = openQueue(name, { defaultJobOptions: jobOptions });
      const isScheduled = async (id: string, { pattern, timeZone }: Repeat) => {
        const existing = await queue.getJobScheduler(id);
        return existing?.pattern === pattern && existing.tz === timeZone;
      };
      return {
        add: (key, payload) => patiently(server, () => queue.add(name, payload, { jobId: key })),
        repeat: (id, when, payload) =>
          patiently(server, async () => {
            // Upserting an overdue scheduler would delete the iteration that is due.
            if (await isScheduled(id, when)) return;
            const { pattern, timeZone: tz } = when;
            const template = { name, data: payload, opts: jobOptions };
            await queue.upsertJobScheduler(id, { pattern, tz }, template).catch(async (error) => {
              // Rejected if another process has just created the same scheduler.
              if (!(await isScheduled(id, when))) throw error;
            });
          }),
        close: () => queue.close(),
      };
    },
    worker: openWorker,
    look,
    async depths(name) {
      const counts = await look(name).getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed };
    },
    ping,
    erase,
    async close() {
      outage.stopTelling();
      await Promise.allSettled(queues.map((queue) => queue.close()));
      await server.close();
    },
  };
}

/**
 * Adding a job or schedule is idempotent, so it is repeated after the schema was recreated, after a lost connection
 * (ioredis reconnects by itself), and after a deadlock in PostgreSQL.
 */
async function patiently({ errors, recover }: QueueServer, add: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await add();
      return;
    } catch (error) {
      const mayRepeat =
        errors?.isConnectionError(error) || errors?.isTransient(error) || (await recover?.(error).catch(() => false));
      if (!mayRepeat || attempt === addAttempts) throw errors ? errors.asServerError(error) : error;
      await sleep(firstAddRestMs * 2 ** attempt);
    }
  }
}

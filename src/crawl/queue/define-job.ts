import type { z } from 'zod';

/** A kind of queue job. Job, queue and metric label share its name, and usually its file does. */
export interface Job<Context, Data> {
  /** In the form verb-noun. */
  readonly name: string;
  readonly data: z.ZodType<Data>;
  /** Jobs with the same key are not queued twice. BullMQ reserves `:`. */
  key(data: Data): string;
  /** Whether several jobs of this kind run at once in a process; default: one. */
  readonly isConcurrent?: boolean;
  /** Must tolerate running twice and being aborted anywhere: the ledger determines the remaining work. */
  run(data: Data, context: Context, signal: AbortSignal): Promise<void>;
}

/** A job with any data type. */
export interface AnyJob<Context> {
  readonly name: string;
  readonly data: z.ZodType;
  key(data: never): string;
  readonly isConcurrent?: boolean;
  run(data: never, context: Context, signal: AbortSignal): Promise<void>;
}

import type { z } from 'zod';

/** A kind of queue job. Job, queue and metric label share its name, and usually its file does. */
export interface Job<Context, Payload> {
  /** In the form verb-noun. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Jobs with the same key are not queued twice. BullMQ reserves `:`. */
  key(payload: Payload): string;
  /** Whether several jobs of this kind run at once in a process; default: one. */
  readonly isConcurrent?: boolean;
  /** Must tolerate running twice and being aborted anywhere: the ledger determines the remaining work. */
  run(payload: Payload, context: Context, signal: AbortSignal): Promise<void>;
}

/** A job with any payload type. */
export interface AnyJob<Context> {
  readonly name: string;
  readonly payload: z.ZodType;
  key(payload: never): string;
  readonly isConcurrent?: boolean;
  run(payload: never, context: Context, signal: AbortSignal): Promise<void>;
}

import type { z } from 'zod';

/** One kind of queue job: its file, job, queue and metric label share one name. */
export interface Job<Context, Payload> {
  /** Verb-noun. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Same key, same job: it is not queued twice. BullMQ reserves `:`. */
  key(payload: Payload): string;
  /** As many run at once in a process as it is set to do; by default one. */
  readonly isConcurrent?: boolean;
  /** Must bear running twice and being cut off anywhere: the ledger decides what is still to do. */
  run(payload: Payload, context: Context, signal: AbortSignal): Promise<void>;
}

/** A job of whatever payload, as workers hold them. */
export interface AnyJob<Context> {
  readonly name: string;
  readonly payload: z.ZodType;
  key(payload: never): string;
  readonly isConcurrent?: boolean;
  run(payload: never, context: Context, signal: AbortSignal): Promise<void>;
}

import { z } from 'zod';
import type { CrawlContext } from '../src/crawl/context.ts';
import type { Job } from '../src/crawl/queue/define-job.ts';
import type { Run } from '../src/crawl/run/runs.ts';

export type JobContext = CrawlContext;

/** Declares a job that receives a `JobContext`. */
export function defineJob<Data>(job: Job<JobContext, Data>): Job<JobContext, Data> {
  return job;
}

/** Declares a job without data, of which one may wait at a time. */
export function defineChore(name: string, run: (context: JobContext, signal: AbortSignal) => Promise<unknown>) {
  const chore = async (_: object, context: JobContext, signal: AbortSignal) => void (await run(context, signal));
  return defineJob({ name, data: z.object({}), key: () => name, run: chore });
}

/** Declares the job of one phase of a night. */
export function defineStep(
  name: string,
  phase: Run['phase'],
  step: (context: JobContext, run: Run, signal: AbortSignal) => Promise<void>,
): Job<JobContext, { run: number }> {
  return defineJob({
    name,
    isConcurrent: true,
    data: z.object({ run: z.int() }),
    key: ({ run }) => `${name}-${run}`,

    async run({ run: runId }, context, signal) {
      const run = await context.openRun(runId);
      if (run?.phase !== phase) return;
      if (await leaveOnError(context, run, signal, () => step(context, run, signal))) await context.dispatch(runId);
    },
  });
}

/** Does work on a run. After an error this process leaves the run: false. An interruption is rethrown. */
export async function leaveOnError(
  context: JobContext,
  run: Parameters<JobContext['leave']>[0],
  signal: AbortSignal,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    await context.leave(run, error);
    return false;
  }
}

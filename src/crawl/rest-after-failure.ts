import { isServerTrouble, isTransient } from '../db/connection-error.ts';
import type { CrawlContext } from './context.ts';
import type { Run } from './ledger/runs.ts';
import { consequenceOf } from './queue/consequence.ts';

/**
 * Handles an unexpected failure of a run's step. A bug would fail again, so the run rests, longer each time, and is
 * finally not retried (run-life.ts). After a deadlock or a server outage the job is simply retried.
 */
export async function restAfterFailure(
  { pause, rest }: Pick<CrawlContext, 'pause' | 'rest'>,
  run: Run,
  error: unknown,
): Promise<void> {
  const why = error instanceof Error ? error : new Error(String(error));
  const consequence = consequenceOf(error);
  if (consequence === 'pause') return pause(run.runId, why, run.phase === 'finishing' ? 'finishing' : 'asking');
  if (consequence === 'bug' && !isServerTrouble(error) && !isTransient(error)) await rest(run, why);
}

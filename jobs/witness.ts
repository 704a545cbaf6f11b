import { verdictOn } from '../src/queue/verdict.ts';
import type { JobContext } from './context.ts';

/**
 * So much failed in a row that nobody may ask. Is the upstream away, or are there a few questions it cannot answer, the pages
 * of one category perhaps, when only those are left? A witness tells: `ask` asks once more for what this run has had answered,
 * and says false where there is nothing yet. Whoever waits for the same run hears the same witness.
 */
export function isUpstreamThere(
  { hearings }: Pick<JobContext, 'hearings'>,
  runId: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const underWay = hearings.get(runId);
  if (underWay) return underWay;
  const hearing = ask()
    // What it will not answer any more it has answered, too.
    .catch((error: unknown) => verdictOn(error) === 'give_up')
    .finally(() => hearings.delete(runId));
  hearings.set(runId, hearing);
  return hearing;
}

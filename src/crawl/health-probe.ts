import type { CrawlContext } from './context.ts';
import { consequenceOf } from './queue/consequence.ts';

/**
 * So much failed in a row that nobody may ask. Is the upstream away, or are there a few questions it cannot answer, the
 * pages of one category perhaps, when only those are left? A health probe tells: `ask` asks once more for what this run
 * has had answered, and says false where there is nothing yet. Whoever waits for the same run hears the same health
 * probe.
 */
export function isUpstreamHealthy(
  { healthProbes }: Pick<CrawlContext, 'healthProbes'>,
  runId: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const underWay = healthProbes.get(runId);
  if (underWay) return underWay;
  const healthProbe = ask()
    // What it will not answer any more it has answered, too.
    .catch((error: unknown) => consequenceOf(error) === 'give_up')
    .finally(() => healthProbes.delete(runId));
  healthProbes.set(runId, healthProbe);
  return healthProbe;
}

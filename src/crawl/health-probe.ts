import type { CrawlContext } from './context.ts';
import { consequenceOf } from './queue/consequence.ts';

/**
 * Checks whether the upstream is down, or only some requests fail (for example the last pages of one category). Used
 * after so many failures in a row that requests are held back. `ask` repeats a request of this run that was answered
 * before; it returns false if there is none. Callers for the same run share one probe.
 */
export function isUpstreamHealthy(
  { healthProbes }: Pick<CrawlContext, 'healthProbes'>,
  runId: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const underWay = healthProbes.get(runId);
  if (underWay) return underWay;
  const healthProbe = ask()
    // A permanent refusal is an answer, too: the upstream is reachable.
    .catch((error: unknown) => consequenceOf(error) === 'give_up')
    .finally(() => healthProbes.delete(runId));
  healthProbes.set(runId, healthProbe);
  return healthProbe;
}

import type { RunStop } from '../../src/crawl/ledger/run-stops.ts';

/** A stop of a run, for which a person has to act. */
export function waitingFor(detail: string, until: Date | null = null): RunStop {
  return { reason: 'key_refused', detail, since: new Date(), until };
}

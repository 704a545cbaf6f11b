import type { Run } from '../src/ledger/runs.ts';
import { type Published, publish } from '../src/publish/publish.ts';
import { noteDistinctSeen } from '../src/quality/category-evidence.ts';
import { judge } from '../src/quality/certificate.ts';
import { examine } from '../src/quality/checks/index.ts';
import type { Survey } from '../src/quality/evidence.ts';
import type { JobContext } from './context.ts';

export interface Conclusion extends Published {
  readonly verdict: 'complete' | 'complete_within_tolerance' | 'partial';
}

export interface Vouching {
  /** What the person says who vouches for the run: it is certified, whatever was missing. */
  readonly releasedBecause?: string;
  /** Published whatever the checks find, as it was before; its verdict is its own. */
  readonly isPublishedAnyway?: boolean;
}

/**
 * All was read that could be: certifies the run by what was seen and publishes it, unless a check blocks that. Live,
 * replayed and released runs end here.
 */
export async function conclude(
  { db, settings, clock }: Pick<JobContext, 'db' | 'settings' | 'clock'>,
  { runId, epoch }: Pick<Run, 'runId' | 'epoch'>,
  survey: Pick<Survey, 'evidence' | 'samples' | 'strays' | 'fallTrace'>,
  { releasedBecause, isPublishedAnyway = false }: Vouching = {},
): Promise<Conclusion> {
  const { evidence, samples, strays, fallTrace } = survey;
  const judged = judge(evidence, settings.certify);
  const fall = judged.fall && { ...judged.fall, ...fallTrace };
  const isReleased = releasedBecause !== undefined;
  const verdict = isReleased ? 'complete_within_tolerance' : judged.verdict;
  await noteDistinctSeen(db, runId, [...evidence.categories, ...samples]);
  const published = await publish(db, {
    runId,
    epoch,
    certified: {
      verdict,
      reasons: isReleased ? [...judged.reasons, `released by a person: ${releasedBecause}`] : judged.reasons,
      evidence: { ...evidence, fall },
      strays,
      uncertain: judged.uncertain.map(({ categoryId }) => categoryId),
    },
    delistAfter: settings.delist.after,
    isDelistingConfirmed: settings.delist.isConfirmed,
    examine,
    isReleased: isReleased || isPublishedAnyway,
    clock,
  });
  return { verdict, ...published };
}

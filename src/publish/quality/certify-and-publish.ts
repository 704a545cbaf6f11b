import type { Clock } from '../../base/clock.ts';
import type { Measure } from '../../base/metrics/measure.ts';
import type { CertificateVerdict } from '../../base/model/index.ts';
import type { Run } from '../../crawl/ledger/runs.ts';
import type { Database } from '../../db/client.ts';
import { type Published, publish } from '../publish.ts';
import { judge } from './certificate.ts';
import { examine } from './checks/index.ts';
import { noteDistinctSeen } from './evidence/category-evidence.ts';
import type { Coverage } from './evidence/run-evidence.ts';

interface CertifiedRun extends Published {
  readonly verdict: CertificateVerdict;
}

export interface CertifyNeeds {
  readonly db: Database;
  readonly clock: Clock;
  /** Records the duration of the publication; null: not recorded. */
  readonly measure: Pick<Measure, 'publication'> | null;
  readonly settings: {
    /** Tolerated shortfall against declared totals, and tolerated loss against the night before; shares of 1. */
    readonly certify: { readonly tolerance: number; readonly maxDrop: number };
    /** Number of consecutive certified nights without a product after which it is delisted. */
    readonly delistAfter: number;
  };
}

interface Override {
  /** Reason given by a user: the run is certified whatever is missing. */
  readonly releasedBecause?: string;
  /** Publish despite blocking findings, because the run was published before; its verdict is still computed. */
  readonly isPublishedAnyway?: boolean;
}

/**
 * Certifies a fully read run by its evidence, and publishes it unless a check blocks that. Live, replayed and released
 * runs end here.
 */
export async function certifyAndPublish(
  { db, settings, clock, measure }: CertifyNeeds,
  { runId, region, epoch }: Pick<Run, 'runId' | 'region' | 'epoch'>,
  coverage: Pick<Coverage, 'evidence' | 'samples' | 'outsideTaxonomy' | 'fallTrace' | 'unconfirmed'>,
  { releasedBecause, isPublishedAnyway = false }: Override = {},
): Promise<CertifiedRun> {
  const { evidence, samples, outsideTaxonomy, fallTrace, unconfirmed } = coverage;
  const judged = judge(evidence, settings.certify);
  const fall = judged.fall && { ...judged.fall, ...fallTrace };
  // A user cannot vouch for categories that were not requested.
  const isReleased = releasedBecause !== undefined && evidence.deferred.length === 0;
  const verdict = isReleased ? 'complete_within_tolerance' : judged.verdict;
  const isPartial = judged.verdict === 'partial';
  // By releasing a partial night, the user declares unseen products gone, as for a published one (release-partial.ts).
  const isOverruled = isReleased && isPartial;
  const uncertain = judged.uncertain.map(({ categoryId }) => categoryId);
  await noteDistinctSeen(db, runId, [...evidence.categories, ...samples]);
  const begunMs = performance.now();
  const published = await publish(db, {
    runId,
    epoch,
    certified: {
      verdict,
      reasons: judged.reasons,
      evidence: { ...evidence, fall, uncertain, ...trace(coverage) },
      isPartial,
      outsideTaxonomy,
      uncertain: isOverruled ? [] : uncertain,
      unconfirmed: isOverruled ? [] : unconfirmed,
    },
    delistAfter: settings.delistAfter,
    examine,
    ...(releasedBecause === undefined ? {} : { releasedBecause }),
    isNeverHeld: isPublishedAnyway,
    clock,
  });
  measure?.publication({ region, seconds: (performance.now() - begunMs) / 1_000 });
  return { verdict, ...published };
}

/**
 * Maximum number of unconfirmed products stored for comparison with the next night; larger losses are compared by a
 * sample (night-before.ts).
 */
const mostTraced = 10_000;

/**
 * Evidence that lets the next night agree: unconfirmed products, and a hash of all pages to recognise cached answers.
 */
function trace({ unconfirmed, fallTrace }: Pick<Coverage, 'unconfirmed' | 'fallTrace'>): object {
  if (unconfirmed.length === 0) return {};
  return { unconfirmed: { productIds: unconfirmed.slice(0, mostTraced), pagesMd5: fallTrace.pagesMd5 } };
}

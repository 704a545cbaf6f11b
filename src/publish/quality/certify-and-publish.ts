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
  /** Hears how long the publication took; null: nobody does. */
  readonly measure: Pick<Measure, 'publication'> | null;
  readonly settings: {
    /** How much a certified night may fall short of what is declared, and lose of what is listed; shares of 1. */
    readonly certify: { readonly tolerance: number; readonly maxDrop: number };
    /**
     * Certified nights in a row without a product after which it is delisted, and whether its own page is asked first.
     */
    readonly delist: { readonly after: number; readonly isConfirmed: boolean };
  };
}

interface Override {
  /** Why a person overrides the certificate: the run is certified, whatever was missing. */
  readonly releasedBecause?: string;
  /** Published whatever the checks find, as it was before; its verdict is its own. */
  readonly isPublishedAnyway?: boolean;
}

/**
 * All was read that could be: certifies the run by what was seen and publishes it, unless a check blocks that. Live,
 * replayed and released runs end here.
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
  // What nobody asked for no person can override either.
  const isReleased = releasedBecause !== undefined && evidence.deferred.length === 0;
  const verdict = isReleased ? 'complete_within_tolerance' : judged.verdict;
  const isPartial = judged.verdict === 'partial';
  // Whoever releases a partial night says that what it did not see is gone, as of one that was published
  // (release-partial.ts).
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
    delistAfter: settings.delist.after,
    isDelistingConfirmed: settings.delist.isConfirmed,
    examine,
    ...(releasedBecause === undefined ? {} : { releasedBecause }),
    isNeverHeld: isPublishedAnyway,
    clock,
  });
  measure?.publication({ region, seconds: (performance.now() - begunMs) / 1_000 });
  return { verdict, ...published };
}

/**
 * So many are held against the next night; a night with more has fallen, and is held against it by a sample
 * (night-before.ts).
 */
const mostTraced = 10_000;

/**
 * What the next night must know to agree: what was not confirmed, and that its pages are not this night's from a cache.
 */
function trace({ unconfirmed, fallTrace }: Pick<Coverage, 'unconfirmed' | 'fallTrace'>): object {
  if (unconfirmed.length === 0) return {};
  return { unconfirmed: { productIds: unconfirmed.slice(0, mostTraced), pagesMd5: fallTrace.pagesMd5 } };
}

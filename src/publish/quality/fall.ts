import { confidence, overlookedShare } from '../../crawl/plan/sample-size.ts';
import { toleratedDrop } from '../../crawl/plan/tolerated-drop.ts';
import type { NightBefore } from './evidence/night-before.ts';
import type { UnseenSample } from './evidence/unseen-sample.ts';

/** Evidence about listed products that a run did not see, and about the night before. */
export interface FallEvidence {
  /** Products listed by the last certified run, and those of them that no page showed. */
  readonly listedBefore: number;
  readonly unseen: number;
  /** Nights since the last certified one; at least 1. */
  readonly nightsSinceCertified: number;
  /** Unseen products chosen at random whose own pages were requested. */
  readonly sample: UnseenSample;
  /** Unseen products that are still for sale by their own pages. */
  readonly unseenForSale: number;
  /** The previous night, if an unproven fall was all that made it partial. */
  readonly nightBefore: NightBefore | null;
}

/**
 * Outcome of a fall. `tolerated`: within the bound since the last certified night; `gone`: own pages confirm it;
 * `agreed`: own pages did not answer, but the previous night saw the same; `still_there`: own pages contradict it;
 * `unproven`: unknown.
 */
export type FallOutcome = 'tolerated' | 'gone' | 'agreed' | 'still_there' | 'unproven';

interface Fall {
  readonly outcome: FallOutcome;
  readonly isBelieved: boolean;
  /** Explanation with figures. */
  readonly sentence: string;
}

/** Number of missing products that is normal for any catalogue, however small. */
export const unremarkableDrop = 10;
/** Minimum agreement of two nights that saw the same catalogue. */
const leastAgreement = 0.9;

/**
 * Judges whether a run lost more listed products than one night may (`maxDrop`), and whether to believe the loss. Own
 * pages of products count more than agreement of two nights. Null if the loss is normal.
 */
export function judgeFall(evidence: FallEvidence, maxDrop: number): Fall | null {
  const { listedBefore, unseen, nightsSinceCertified: nights, sample, unseenForSale, nightBefore } = evidence;
  const mayVanish = (share: number) => Math.max(unremarkableDrop, Math.floor(share * listedBefore));
  if (unseen <= mayVanish(maxDrop)) return null;

  const tolerated = mayVanish(toleratedDrop(maxDrop, nights));
  const since = nights === 1 ? '1 night' : `${nights} nights`;
  const loss =
    `${unseen} of ${listedBefore} listed products were not seen (${tolerated} are tolerated ${since} after the ` +
    'last certified one)';
  const believed = (outcome: FallOutcome, why = ''): Fall => ({ outcome, isBelieved: true, sentence: `${loss}${why}` });
  const doubted = (outcome: FallOutcome, why: string): Fall => ({
    outcome,
    isBelieved: false,
    sentence: `${loss}: ${why}`,
  });
  if (unseen <= tolerated) return believed('tolerated');

  const { needed, answered, stillThere } = sample;
  if (stillThere > 0) return doubted('still_there', `${stillThere} of ${answered} products checked are still for sale`);
  if (answered >= needed) {
    const bound = `fewer than ${percent(overlookedShare)} are still there (${percent(confidence)} confidence)`;
    return believed('gone', `: all ${answered} products checked at random are gone by their own pages, so ${bound}`);
  }
  const asked = `own pages of ${answered} of the ${needed} products to check were received`;
  if (nightBefore !== null && unseenForSale === 0 && nightBefore.agreement >= leastAgreement) {
    const { snapshotDate, agreement, isCopy } = nightBefore;
    if (isCopy) return doubted('unproven', `${asked}, and all pages are identical to those of ${snapshotDate}`);
    const same = `both missed ${percent(agreement)} of the products that either missed`;
    return believed('agreed', `: ${asked}, but the night of ${snapshotDate} saw the same (${same})`);
  }
  return doubted('unproven', `${asked}, too few to be sure`);
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

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

export interface UnseenSample {
  /** Number of answers that would prove it. */
  readonly needed: number;
  readonly answered: number;
  /** Products without an answer after all attempts, or with one that proves nothing. */
  readonly failed: number;
  readonly stillThere: number;
}

export interface NightBefore {
  readonly snapshotDate: string;
  /** Share of products missed by both nights among those missed by either. */
  readonly agreement: number;
  /** Whether its pages are byte-identical to tonight's: a cached answer is no independent evidence. */
  readonly isCopy: boolean;
}

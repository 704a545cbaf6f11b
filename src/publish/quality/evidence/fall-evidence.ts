/** What is known of listed products that a run did not see, and of the night before. */
export interface FallEvidence {
  /** Listed by the last certified run, and how many of those no page showed. */
  readonly listedBefore: number;
  readonly unseen: number;
  /** From the last certified night to this one; at least 1. */
  readonly nightsSinceCertified: number;
  /** Unseen products chosen at random and asked after by their own page. */
  readonly sample: UnseenSample;
  /** Of all unseen products that were asked after, those still for sale. */
  readonly unseenForSale: number;
  /** The night before, when all that spoke against it was a fall that nobody could confirm or deny. */
  readonly nightBefore: NightBefore | null;
}

export interface UnseenSample {
  /** So many answers prove it. */
  readonly needed: number;
  readonly answered: number;
  /** Asked as often as is allowed, without an answer or with one that proves nothing. */
  readonly failed: number;
  readonly stillThere: number;
}

export interface NightBefore {
  readonly snapshotDate: string;
  /** Of the products that either night did not see, the share that neither did. */
  readonly agreement: number;
  /** Its pages are this night's to the byte: an answer from a cache is no second look. */
  readonly isCopy: boolean;
}

/** Verdict on a run. The first two are certified. */
export type CertificateVerdict = 'complete' | 'complete_within_tolerance' | 'partial';

/** A finding of a quality check. */
export interface CheckFinding {
  /** Name of the check. */
  readonly name: string;
  /** `block`: the run is held until a person decides. */
  readonly severity: 'warn' | 'block';
  /** Number of affected products, promotions or categories. */
  readonly found: number;
  /** One sentence with figures. */
  readonly message: string;
  /** Ids of some affected items. */
  readonly samples: readonly string[];
}

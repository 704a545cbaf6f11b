/** Whether a run saw everything; the first two are certified. */
export type CertificateVerdict = 'complete' | 'complete_within_tolerance' | 'partial';

/** What a quality check found in a run. */
export interface CheckFinding {
  /** Of the check. */
  readonly name: string;
  /** `block`: the run is held until a person decides. */
  readonly severity: 'warn' | 'block';
  /** Products, promotions or categories concerned. */
  readonly found: number;
  /** One sentence with the figures. */
  readonly message: string;
  /** A few of them, by id. */
  readonly samples: readonly string[];
}

/** Limits of one run in units: in total and per stage. */
export interface SpendCaps {
  readonly total?: number;
  readonly taxonomy?: number;
  readonly categories?: number;
  readonly details?: number;
}

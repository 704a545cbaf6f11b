/** What one run may spend, in all and on requests of a stage; in units. */
export interface SpendCaps {
  readonly total?: number;
  readonly taxonomy?: number;
  readonly listing?: number;
  readonly details?: number;
}

import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable, Transaction } from '../../db/client.ts';

/** A certified night: the latest certified run of a date. */
export interface CertifiedNight {
  readonly runId: number;
  /** YYYY-MM-DD. */
  readonly snapshotDate: string;
  readonly observedAt: Date;
}

/** Consecutive certified nights to derive; all earlier nights are derived. */
export interface NightsToDerive {
  readonly region: RegionCode;
  /** At least one, in order. */
  readonly nights: readonly CertifiedNight[];
  /** Certified night before the first; null: none. */
  readonly before: CertifiedNight | null;
}

/**
 * Data derived from certified nights and stored, because computing them from the histories on demand takes too long.
 */
export interface Derivation {
  /** Deletes data derived from a date on, before those nights change. */
  forget(tx: Queryable, region: RegionCode, from: string): Promise<void>;
  /**
   * Adds data derived from these nights, in the transaction that marks them as derived and in one snapshot. Throws the
   * signal's reason when aborted.
   */
  derive(tx: Transaction, what: NightsToDerive, signal?: AbortSignal): Promise<void>;
}

import type { RegionCode } from '../../base/model/index.ts';
import type { Askable, Transaction } from '../../db/client.ts';

/** A certified night: the latest certified run of its date. */
export interface CertifiedNight {
  readonly runId: number;
  /** YYYY-MM-DD. */
  readonly snapshotDate: string;
  readonly observedAt: Date;
}

/** Certified nights in a row that are to be derived. Everything before them is derived already. */
export interface NightsToDerive {
  readonly region: RegionCode;
  /** At least one, in order. */
  readonly nights: readonly CertifiedNight[];
  /** The certified night before the first of them; null when there is none. */
  readonly before: CertifiedNight | null;
}

/**
 * Something that follows from certified nights, and is kept because asking the histories for it would take too long.
 */
export interface Derivation {
  readonly name: string;
  /** Removes what follows from nights of a date or a later one: those nights are about to change. */
  forget(tx: Askable, region: RegionCode, from: string): Promise<void>;
  /**
   * Adds what follows from these nights, in the transaction that notes them as derived. The transaction reads one state
   * of the database. Stops when the signal aborts, by throwing its reason.
   */
  derive(tx: Transaction, what: NightsToDerive, signal?: AbortSignal): Promise<void>;
}

import type { FaultRule } from '../../../src/simulator/fault-rules.ts';
import type { Mishap } from '../mishaps.ts';
import type { Catalogue } from './catalogues.ts';

/** One night: what the upstream does wrong, and what befalls us. Nothing of both: it is crawled undisturbed. */
export interface NightPlan {
  readonly faults: readonly FaultRule[];
  readonly mishaps: readonly Mishap[];
  /** `pricebook work` processes beside the crawl. */
  readonly workers: number;
  /** Bytes the archive may grow to until somebody makes room; null: enough. */
  readonly archiveBytes: number | null;
}

/** What is demanded of the end. */
export interface Demands {
  /**
   * Nothing the upstream said was untrue for good: every night comes out complete, and the catalogue as if nothing had
   * happened.
   */
  readonly isUndisturbedInTheEnd: boolean;
  /**
   * What the upstream says of products may differ from the truth: a complete night is held against the truth only if
   * not.
   */
  readonly isTruthful: boolean;
}

export interface Schedule extends Demands {
  readonly seed: number;
  readonly family: string;
  readonly catalogue: Catalogue;
  readonly queue: 'postgres' | 'redis';
  /** `own`: its embedded server is started, killed and stopped with it. */
  readonly server: 'shared' | 'own';
  readonly nights: readonly NightPlan[];
}

export const calmNight: NightPlan = { faults: [], mishaps: [], workers: 0, archiveBytes: null };

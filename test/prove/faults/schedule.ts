import type { FaultRule } from '../../../src/simulator/fault-rules.ts';
import type { Mishap } from '../mishaps.ts';
import type { Catalogue } from './catalogues.ts';

/** One night: faults of the upstream and of our processes. Without any it is crawled undisturbed. */
export interface NightPlan {
  readonly faults: readonly FaultRule[];
  readonly mishaps: readonly Mishap[];
  /** `pricebook work` processes beside the crawl. */
  readonly workers: number;
  /** Bytes that the archive may use until room is made; null: unlimited. */
  readonly archiveBytes: number | null;
}

export interface Schedule {
  readonly seed: number;
  readonly family: string;
  readonly catalogue: Catalogue;
  readonly queue: 'postgres' | 'redis';
  /** `own`: its embedded server is started, killed and stopped with it. */
  readonly server: 'shared' | 'own';
  readonly nights: readonly NightPlan[];
  /** All faults are temporary: every night must be complete, and the catalogue as without faults. */
  readonly isUndisturbedInTheEnd: boolean;
  /** Whether the upstream's product data may be wrong; otherwise complete nights are compared with the truth. */
  readonly isTruthful: boolean;
}

export const calmNight: NightPlan = { faults: [], mishaps: [], workers: 0, archiveBytes: null };

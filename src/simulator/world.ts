import type { Catalogue } from './catalogue.ts';
import type { Firing } from './fault-rules.ts';
import type { Behaviour } from './settings.ts';
import type { RegionCode } from './taxonomy.ts';

/** State from which endpoints respond. */
export interface World {
  readonly seed: number;
  readonly catalogues: Readonly<Record<RegionCode, Catalogue>>;
  readonly behaviour: Readonly<Behaviour>;
  /** Day of a region's current catalogue. */
  dayOf(region: RegionCode): number;
}

export interface Question {
  readonly query: URLSearchParams;
  /** Faults that apply to the request. */
  readonly firings: readonly Firing[];
}

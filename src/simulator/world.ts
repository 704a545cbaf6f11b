import type { Catalogue } from './catalogue.ts';
import type { Firing } from './fault-rules.ts';
import type { Behaviour } from './settings.ts';
import type { RegionCode } from './taxonomy.ts';

/** What endpoints answer from. */
export interface World {
  readonly seed: number;
  readonly catalogues: Readonly<Record<RegionCode, Catalogue>>;
  readonly behaviour: Readonly<Behaviour>;
  /** The day whose catalogue a region shows just now. */
  dayOf(region: RegionCode): number;
}

export interface Question {
  readonly query: URLSearchParams;
  /** Faults that apply to it. */
  readonly firings: readonly Firing[];
}

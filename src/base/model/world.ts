import type { ListingName } from './payload.ts';

/** Subject of a database and upstream of a process: a simulated supermarket, or a live listing at its address. */
export type World = SimulatedWorld | LiveWorld;

export interface SimulatedWorld {
  readonly kind: 'simulated';
  readonly seed: number;
  /** Products per region. */
  readonly items: number;
}

interface LiveWorld {
  readonly kind: 'live';
  readonly listing: ListingName;
  /** Origin and path; null: not configured, so nothing can be crawled. */
  readonly baseUrl: string | null;
  /** Host header that identifies the listing at the gateway. */
  readonly host: string;
}

/** `machine`: the system clock; `played`: a clock set by `--now`. */
export type ClockKind = 'machine' | 'played';

/** `simulator seed=1 items=500`, `grocery at https://…, host …`. Equal texts mean equal worlds. */
export function describeWorld(world: World): string {
  return world.kind === 'simulated'
    ? `simulator seed=${world.seed} items=${world.items}`
    : `${world.listing} at ${world.baseUrl ?? 'no address'}, host ${world.host}`;
}

/** Upstream of a run: its world and, for a simulator, the date of its catalogue. */
export function describeUpstream(world: World, snapshotDate: string): string {
  return world.kind === 'simulated' ? `${describeWorld(world)} date=${snapshotDate}` : describeWorld(world);
}

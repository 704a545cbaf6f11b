import type { ListingName } from './payload.ts';

/** What a database's book is about, and whom a process asks: an invented supermarket, or a listing at its address. */
export type World = SimulatedWorld | LiveWorld;

export interface SimulatedWorld {
  readonly kind: 'simulated';
  readonly seed: number;
  /** Products a region. */
  readonly items: number;
}

interface LiveWorld {
  readonly kind: 'live';
  readonly listing: ListingName;
  /** Origin and path; null: none is configured, so nothing can be crawled. */
  readonly baseUrl: string | null;
  /** What the gateway knows the listing by: its host header. */
  readonly host: string;
}

/** `machine`: the computer's clock; `played`: one set by `--now`. */
export type ClockKind = 'machine' | 'played';

/** A world in words: `simulator seed=1 items=500`, `grocery at https://…, host …`. Equal words, equal worlds. */
export function describeWorld(world: World): string {
  return world.kind === 'simulated'
    ? `simulator seed=${world.seed} items=${world.items}`
    : `${world.listing} at ${world.baseUrl ?? 'no address'}, host ${world.host}`;
}

/** The upstream of a run: its world and, because a simulator shows another catalogue every day, the date it plays. */
export function describeUpstream(world: World, snapshotDate: string): string {
  return world.kind === 'simulated' ? `${describeWorld(world)} date=${snapshotDate}` : describeWorld(world);
}

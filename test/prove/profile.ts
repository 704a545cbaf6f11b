import type { Ground } from './ground.ts';

/** Result of one random trial. */
export interface Trial {
  readonly seed: number;
  readonly kind: string;
  /** Violations, as sentences; empty if every promise was kept. */
  readonly broken: readonly string[];
  /** What happened, and how often. */
  readonly counts: Readonly<Record<string, number>>;
  /** Drawn events and output of commands, to examine a failed trial. */
  readonly details?: string;
}

/** A kind of proof: how a course of events is drawn from a seed, and what may not come of it. */
export interface Profile {
  /** Default number of trials. */
  readonly count: number;
  /** Default number of concurrent trials. */
  readonly parallel: number;
  /** Values of `--only`. */
  readonly variants: readonly string[];
  /** Returns what plays the trial of a seed; called once, to create what trials share. */
  begin(ground: Ground, only?: string): (seed: number) => Promise<Trial>;
}

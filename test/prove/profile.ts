import type { Ground } from './ground.ts';

/** Result of one random trial. */
export interface Trial {
  readonly seed: number;
  /** Its kind; the report counts trials by it. */
  readonly kind: string;
  /** Violations, as sentences; empty if every promise was kept. */
  readonly broken: readonly string[];
  /** What happened, and how often, by heading. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Measured values, with the unit in the heading. */
  readonly figures?: Readonly<Record<string, readonly number[]>>;
  /** Drawn events and output of commands, to examine a failed trial. */
  readonly details?: string;
}

export interface Settings {
  readonly count: number;
  readonly seed: number;
  /** One of the profile's variants. */
  readonly only: string | undefined;
  /** Trials at a time. */
  readonly parallel: number;
}

/** A kind of proof: how a course of events is drawn from a seed, and what may not come of it. */
export interface Profile {
  /** Default number of trials. */
  readonly count: number;
  /** Default number of concurrent trials; 1 if each continues the previous one. */
  readonly parallel: number;
  readonly variants: readonly string[];
  /** Plays the trial of each seed; `begin` is called once and creates what they share. */
  begin(ground: Ground, settings: Settings): Promise<Course>;
}

export interface Course {
  play(seed: number): Promise<Trial>;
  close?(): Promise<void>;
}

import type { Ground } from './ground.ts';

/** What one drawn course of events came to. */
export interface Trial {
  readonly seed: number;
  /** Its kind; the report counts trials by it. */
  readonly kind: string;
  /** What is not as it must be, in words; empty when every promise was kept. */
  readonly broken: readonly string[];
  /** What happened, and how often, by heading. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Measured values, with the unit in the heading. */
  readonly figures?: Readonly<Record<string, readonly number[]>>;
  /** What was drawn and what commands said, for whoever looks into a broken trial. */
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
  /** Trials unless told otherwise. */
  readonly count: number;
  /** How many trials run at a time unless told otherwise; 1 where each goes on from the one before. */
  readonly parallel: number;
  readonly variants: readonly string[];
  /** Plays the trial of each seed; `begin` is called once, with what they share. */
  begin(ground: Ground, settings: Settings): Promise<Course>;
}

export interface Course {
  play(seed: number): Promise<Trial>;
  close?(): Promise<void>;
}

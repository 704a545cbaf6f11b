/** Inputs of a measurement. */
export interface Bench {
  /** Number of products in the region; figures with another limit say so. */
  readonly items: number;
  /** Folder that keeps the database of three years between runs; undefined: each figure creates its own. */
  readonly book?: string | undefined;
  /** A superuser's URL of a server on this machine for the figure `defaults`. */
  readonly server?: string | undefined;
  /** Reports progress on stderr. */
  say(text: string): void;
}

/** One line of the table. */
export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target: Target;
  /** How the figure was measured, for people. */
  readonly from: string;
}

/** What a figure should reach; below the floor it is a fault. */
export interface Target {
  readonly is: 'at least' | 'at most';
  readonly aim: number;
  readonly floor: number;
}

/** One part of the benchmark; it can be run alone by its name. */
export interface Figure {
  readonly name: string;
  run(bench: Bench): Promise<readonly Measured[]>;
}

export function verdictOn({ value, target }: Measured): 'aim' | 'floor' | 'NOTHING' {
  const reaches = (limit: number) => (target.is === 'at least' ? value >= limit : value <= limit);
  return reaches(target.aim) ? 'aim' : reaches(target.floor) ? 'floor' : 'NOTHING';
}

/** Processor time of ours as a share of theirs. */
export const cpuRatio = (what: string, ours: number, theirs: number, aim: number, floor: number): Measured => ({
  ...{ what: `CPU of ${what}`, value: ours / theirs, unit: '', target: { is: 'at most', aim, floor } },
  from: `${ours.toFixed(1)} / ${theirs.toFixed(1)} s, process + PostgreSQL`,
});

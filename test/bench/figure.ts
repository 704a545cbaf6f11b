/** Inputs of a measurement. */
export interface Bench {
  /** Number of products in the region; figures with another limit say so. */
  readonly items: number;
  /** Folder that keeps the database of three years between runs; undefined: each figure creates its own. */
  readonly book?: string | undefined;
  /** `peers`: another checkout of the program, to measure beside this one. */
  readonly before?: string | undefined;
  /** Reports progress on stderr. */
  say(text: string): void;
}

/** One line of the table. */
export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** null: for information only. */
  readonly target: Target | null;
  /** How the figure was measured, for people. */
  readonly from: string;
}

/** As DESIGN section 7 sets them. */
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

export function verdictOn({ value, target }: Measured): 'aim' | 'floor' | 'missed' | '' {
  if (!target) return '';
  const reaches = (limit: number) => (target.is === 'at least' ? value >= limit : value <= limit);
  if (reaches(target.aim)) return 'aim';
  return reaches(target.floor) ? 'floor' : 'missed';
}

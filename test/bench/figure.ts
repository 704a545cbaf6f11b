/** What a figure is measured with. */
export interface Bench {
  /** Products of the region; figures that cannot take so many say so. */
  readonly items: number;
  /**
   * Where the book of three years is kept from one run to the next; undefined: it is made for each figure that asks it.
   */
  readonly book?: string | undefined;
  /** `peers`: a bundled prototype of a night, and another checkout of the program, to measure beside this one. */
  readonly prototype?: string | undefined;
  readonly before?: string | undefined;
  /** Tells how it goes, on stderr. */
  say(text: string): void;
}

/** One line of the table. */
export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** null: told for information. */
  readonly target: Target | null;
  /** What it was made of, in words. */
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

import type { CheckFinding } from '../../../base/model/index.ts';

/** A check of a night before it is merged, using the tables of the publication (winner.sql) and the catalogue. */
export interface Check {
  readonly name: string;
  /**
   * Returns one row: `found` (count), `total` (population), `samples` (a few ids), and further values for the message.
   * May read `night`, `winner` and `former`.
   */
  readonly sql: string;
  /** The finding in one sentence. */
  sentence(answer: Answer): string;
  /** Consequence of the finding; null: none. */
  severity(answer: Answer): 'warn' | 'block' | null;
}

export interface Answer {
  readonly found: number;
  readonly total: number;
  readonly samples: readonly string[];
  /** All products that the night saw, including unchanged ones. */
  readonly seen: number;
  readonly [figure: string]: unknown;
}

export function defineCheck(check: Check): Check {
  return check;
}

/** Share of seen products below which a finding does not hold a night: our own bugs affect nearly every product. */
export const noticeableShare = 0.05;

/**
 * Severity by size: `block` if the finding covers `share` of `total`, at least `least` products, and `shareOfSeen` of
 * all seen products (on a quiet night, a handful is a large share of the changes). Otherwise `warn` if any is found.
 */
export function blockFrom(share: number, least: number, shareOfSeen = noticeableShare): Check['severity'] {
  return ({ found, total, seen }) => {
    if (found === 0) return null;
    return found >= least && found >= share * total && found >= shareOfSeen * seen ? 'block' : 'warn';
  };
}

/** Finding of a check of a night that saw `seen` products; null: none. */
export function findingOf({ name, sentence, severity }: Check, answer: Answer, seen: number): CheckFinding | null {
  // The SQL of a check gives no samples if it found none.
  const read = { ...answer, samples: answer.samples ?? [], seen };
  const consequence = severity(read);
  if (consequence === null) return null;
  return { name, severity: consequence, found: read.found, message: sentence(read), samples: read.samples };
}

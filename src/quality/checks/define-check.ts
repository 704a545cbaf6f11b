import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Finding } from '../../publish/publish.ts';

/** A question to a night before it is merged, over the tables of the publication (step.ts) and the catalogue. */
export interface Check {
  readonly name: string;
  /**
   * One row: `found` (how many), `total` (of how many), `samples` (a few ids), and what else the sentence needs. May read
   * `night` and `winner`.
   */
  readonly sql: string;
  /** What was found, in one sentence. */
  sentence(answer: Answer): string;
  /** What follows from it; null: nothing worth telling. */
  severity(answer: Answer): 'warn' | 'block' | null;
}

export interface Answer {
  readonly found: number;
  readonly total: number;
  readonly samples: readonly string[];
  readonly [figure: string]: unknown;
}

export function defineCheck(check: Check): Check {
  return check;
}

/** `block` from a share of at least `share` and `least` in number on, otherwise a warning where there is any. */
export function blockFrom(share: number, least: number): Check['severity'] {
  return ({ found, total }) => {
    if (found === 0) return null;
    return found >= least && found >= share * total ? 'block' : 'warn';
  };
}

/** Runs a check. */
export async function runCheck(tx: Askable, { name, sql, sentence, severity }: Check): Promise<Finding | null> {
  const [answer] = await rowsOf<Answer & { samples: string[] | null }>(tx, sql);
  if (!answer) return null;
  const read = { ...answer, samples: answer.samples ?? [] };
  const consequence = severity(read);
  if (consequence === null) return null;
  return { name, severity: consequence, found: read.found, message: sentence(read), samples: read.samples };
}

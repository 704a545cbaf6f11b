import type { CheckFinding } from '../../../base/model/index.ts';
import type { Askable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** A question to a night before it is merged, over the tables of the publication (winner.sql) and the catalogue. */
export interface Check {
  readonly name: string;
  /**
   * One row: `found` (how many), `total` (of how many), `samples` (a few ids), and what else the sentence needs. May
   * read `night`, `winner` and `former`.
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
  /** All products that the night saw, unchanged ones included. */
  readonly seen: number;
  readonly [figure: string]: unknown;
}

export function defineCheck(check: Check): Check {
  return check;
}

/** A mistake of ours touches nearly every product; what concerns fewer of all that the night saw must not hold it. */
export const noticeableShare = 0.05;

/**
 * `block` from a share of at least `share` of the products in question and `least` in number on, when they also are
 * `shareOfSeen` of all that the night saw: where little changed, a handful is a large share of it. Otherwise a warning
 * where there is any.
 */
export function blockFrom(share: number, least: number, shareOfSeen = noticeableShare): Check['severity'] {
  return ({ found, total, seen }) => {
    if (found === 0) return null;
    return found >= least && found >= share * total && found >= shareOfSeen * seen ? 'block' : 'warn';
  };
}

/** Runs a check of a night that saw so many products. */
export async function runCheck(
  tx: Askable,
  { name, sql, sentence, severity }: Check,
  seen: number,
): Promise<CheckFinding | null> {
  const [answer] = await rowsOf<Answer & { samples: string[] | null }>(tx, sql);
  if (!answer) return null;
  const read = { ...answer, samples: answer.samples ?? [], seen };
  const consequence = severity(read);
  if (consequence === null) return null;
  return { name, severity: consequence, found: read.found, message: sentence(read), samples: read.samples };
}

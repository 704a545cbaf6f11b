import { boolean, foreignKey, integer, jsonb, numeric, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { run, runStatus, verdict } from './run.ts';
import { ops } from './schemas.ts';

/** The verdict on a run, with its evidence. */
export const certificate = ops.table(
  'certificate',
  {
    runId: integer().primaryKey(),
    verdict: verdict().notNull(),
    /** One sentence per reason; empty for `complete`, and for a run that only a check held. */
    reasons: text().array().notNull(),
    evidence: jsonb().notNull(),
    /** Sum over the products listed after the run of 60 bits of the md5 of each (`catalog.product_hash`). */
    contentHash: numeric(),
    computedAt: instant().notNull(),
    /**
     * New and changed products of the run; together with the keys on its pages, all that it saw. Kept only for a
     * partial run and only as long as its pages, so that a user can release it.
     */
    changedKeys: integer().array(),
    /** Reason that the user gave for the release, and the former state: `held`, or `published` as partial. */
    releasedBecause: text(),
    releasedFrom: runStatus(),
    /** Last time the night was rebuilt from history, and whether the result matched its certificate. */
    verifiedAt: instant(),
    isVerified: boolean(),
  },
  (t) => [foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade')],
);

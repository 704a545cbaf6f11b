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
    /** In words; empty for `complete`, and for a run that only a check held. */
    reasons: text().array().notNull(),
    evidence: jsonb().notNull(),
    /** Sum over the products that the run left listed of 60 bits of the md5 of each (`catalog.product_hash`). */
    contentHash: numeric(),
    computedAt: instant().notNull(),
    /**
     * Products the run wrote that were new or had changed: with the keys its pages saw, all that it saw. Kept for a
     * partial run only, as long as those are, so that a person can still release it.
     */
    changedKeys: integer().array(),
    /** Why a person released the run, in their words, and what it was before: `held`, or `published` as partial. */
    releasedBecause: text(),
    releasedFrom: runStatus(),
    /** When the night was last rebuilt from history, and whether it read as it was certified. */
    verifiedAt: instant(),
    isVerified: boolean(),
  },
  (t) => [foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade')],
);

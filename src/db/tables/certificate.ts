import { boolean, foreignKey, integer, jsonb, text } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { run, verdict } from './run.ts';
import { ops } from './schemas.ts';

/** The verdict on a run, with its evidence. */
export const certificate = ops.table(
  'certificate',
  {
    runId: integer().primaryKey(),
    verdict: verdict().notNull(),
    /** In words; empty for `complete`. */
    reasons: text().array().notNull(),
    evidence: jsonb().notNull(),
    /** sha256 of the region's `as_of` rows in product order, as the run left them. */
    contentHash: bytes(),
    computedAt: instant().notNull(),
    /**
     * Products the run wrote that were new or had changed: with the keys its pages saw, all that it saw. Kept for a partial
     * run only, as long as those are, so that a person can still release it.
     */
    changedKeys: integer().array(),
    /** When the night was last rebuilt from history, and whether it read as it was certified. */
    verifiedAt: instant(),
    isVerified: boolean(),
  },
  (t) => [foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade')],
);

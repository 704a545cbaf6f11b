import { foreignKey, integer, jsonb, text } from 'drizzle-orm/pg-core';
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
  },
  (t) => [foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade')],
);

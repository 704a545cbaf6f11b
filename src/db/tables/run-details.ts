import { integer } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** What the details of a published run showed. */
export const runDetails = ops.table('run_details', {
  runId: integer()
    .primaryKey()
    .references(() => run.runId, { onDelete: 'cascade' }),
  /** Products whose own page was read, and those of them with changed details. */
  detailsRead: integer().notNull(),
  detailsChanged: integer().notNull(),
});

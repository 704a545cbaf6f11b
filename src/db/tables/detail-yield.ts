import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** What asking for details for one reason brought in a run. */
export const detailYield = ops.table(
  'detail_yield',
  {
    runId: integer()
      .notNull()
      .references(() => run.runId, { onDelete: 'cascade' }),
    /** As in `detail_fetch`. */
    reason: text().notNull(),
    /** Products that answered. */
    visits: integer().notNull(),
    /** Of those known before, whose details had changed. */
    changes: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.reason] })],
);

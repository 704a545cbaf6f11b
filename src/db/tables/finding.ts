import { foreignKey, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** `warn`: for review; `block`: holds the run until a user decides. */
export const severity = ops.enum('severity', ['warn', 'block']);

/** A finding of a quality check in a run. */
export const finding = ops.table(
  'finding',
  {
    runId: integer().notNull(),
    /** Name of the check. */
    name: text().notNull(),
    severity: severity().notNull(),
    /** Number of products, promotions or categories affected. */
    found: integer().notNull(),
    /** One sentence with figures. */
    message: text().notNull(),
    /** Some of their ids. */
    samples: text().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.name] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);

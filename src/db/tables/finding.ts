import { foreignKey, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** `warn`: for people to look at; `block`: the run is held until one of them decides. */
export const severity = ops.enum('severity', ['warn', 'block']);

/** What a quality check found in a run. */
export const finding = ops.table(
  'finding',
  {
    runId: integer().notNull(),
    /** Name of the check. */
    name: text().notNull(),
    severity: severity().notNull(),
    /** Products, promotions or categories concerned. */
    found: integer().notNull(),
    /** One sentence with the figures. */
    message: text().notNull(),
    /** A few of them, by id. */
    samples: text().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.name] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);

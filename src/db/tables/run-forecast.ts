import { integer } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** Number of details that were worth a request to a run, and what reading them showed. */
export const runForecast = ops.table('run_forecast', {
  runId: integer()
    .primaryKey()
    .references(() => run.runId, { onDelete: 'cascade' }),
  /** Details worth a request before any page was read. */
  detailsBacklog: integer(),
  /** Details worth a request after all pages were read, and details requested; null before that. */
  detailsWanted: integer(),
  detailsChosen: integer(),
  /** Products whose own page was read, and those of them with changed details; null: not counted yet. */
  detailsRead: integer(),
  detailsChanged: integer(),
});

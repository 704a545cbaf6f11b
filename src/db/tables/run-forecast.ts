import { doublePrecision, integer, jsonb, numeric, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** What a run was expected to cost when it opened, and how many details it then found worth a request. */
export const runForecast = ops.table('run_forecast', {
  runId: integer()
    .primaryKey()
    .references(() => run.runId, { onDelete: 'cascade' }),
  /** Requests. */
  taxonomy: integer().notNull(),
  listing: integer().notNull(),
  details: integer().notNull(),
  seconds: doublePrecision().notNull(),
  /** In units of `currency`; null: no price is told. */
  cost: numeric(),
  currency: text(),
  /** What had to be assumed because no night told it: a list of sentences. */
  assumed: jsonb().notNull(),
  /** Details worth a request before a page was read. */
  detailsBacklog: integer(),
  /**
   * Details worth a request when all pages were read, and of them those asked for; null: the run has not come that far.
   */
  detailsWanted: integer(),
  detailsChosen: integer(),
  /** Products whose own page was read, and those among them whose details had changed; null: not counted yet. */
  detailsRead: integer(),
  detailsChanged: integer(),
});

import { doublePrecision, integer, jsonb, numeric, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** Estimated cost of a run at its start, and number of details worth a request. */
export const runForecast = ops.table('run_forecast', {
  runId: integer()
    .primaryKey()
    .references(() => run.runId, { onDelete: 'cascade' }),
  /** Number of requests. */
  taxonomy: integer().notNull(),
  listing: integer().notNull(),
  details: integer().notNull(),
  seconds: doublePrecision().notNull(),
  /** In units of `currency`; null if the price is unknown. */
  cost: numeric(),
  currency: text(),
  /** Assumptions made for lack of past nights: a list of sentences. */
  assumed: jsonb().notNull(),
  /** Details worth a request before any page was read. */
  detailsBacklog: integer(),
  /** Details worth a request after all pages were read, and details requested; null before that. */
  detailsWanted: integer(),
  detailsChosen: integer(),
  /** Products whose own page was read, and those of them with changed details; null: not counted yet. */
  detailsRead: integer(),
  detailsChanged: integer(),
});

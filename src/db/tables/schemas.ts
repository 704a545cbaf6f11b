import { pgSchema } from 'drizzle-orm/pg-core';

/** The catalogue; written only by publications and replays. */
export const catalog = pgSchema('catalog');
/** Staged records of unfinished runs. */
export const stage = pgSchema('stage');
/** The ledger: runs, pages, spend, quarantine. */
export const ops = pgSchema('ops');
/** Data derived from published nights for quick access; it can be deleted and derived again. */
export const derived = pgSchema('derived');

/**
 * Change keys, drawn under a lock (src/publish/night-changes.ts), because a sequence alone does not follow commit
 * order.
 */
export const changeSeq = ops.sequence('change_seq');

import { pgSchema } from 'drizzle-orm/pg-core';

/** What we keep; written by publish alone. */
export const catalog = pgSchema('catalog');
/** What the open run has seen so far. */
export const stage = pgSchema('stage');
/** What happened: runs, pages, spend, quarantine. */
export const ops = pgSchema('ops');
/** What follows from published nights, kept so that reading it is quick; it can be forgotten and derived again. */
export const derived = pgSchema('derived');

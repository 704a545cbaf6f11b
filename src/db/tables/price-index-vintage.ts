import { date, doublePrecision, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

/** GEKS-Jevons values of a region or department as they were published: a row per change. Never deleted. */
export const priceIndexVintage = derived.table(
  'price_index_vintage',
  {
    region: text().notNull(),
    /** 0: the whole region. */
    categoryKey: integer().notNull(),
    period: text().notNull(),
    periodStart: date().notNull(),
    publishedAt: instant().notNull(),
    baseStart: date().notNull(),
    /** By price basis: shelf, member, and both adjusted. */
    values: doublePrecision().array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.categoryKey, t.period, t.periodStart, t.publishedAt] })],
);

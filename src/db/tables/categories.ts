import { integer, smallint, text, unique } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** A country's catalogue with its currency and time zone. */
export const region = catalog.table('region', {
  region: text().primaryKey(),
  name: text().notNull(),
  currency: text().notNull(),
  timeZone: text().notNull(),
});

/** A node of a region's taxonomy. If the id encodes the path of names, a renamed category is a new one. */
export const category = catalog.table(
  'category',
  {
    categoryKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    region: text()
      .notNull()
      .references(() => region.region),
    categoryId: text().notNull(),
    /** Verbatim: spaces at its ends belong to the id. */
    name: text().notNull(),
    label: text().notNull(),
    depth: smallint().notNull(),
    parentKey: integer(),
    /** Keys of the categories above it, from the top level down, and its own. */
    ancestors: integer().array().notNull().default([]),
    /** Names from the top level down, joined with ' > '. */
    path: text().notNull(),
    firstSeenAt: instant().notNull(),
    /** When a certified run's taxonomy first lacked it; null while it exists, so that a quiet night writes nothing. */
    lastSeenAt: instant(),
  },
  (t) => [unique('category_region_id').on(t.region, t.categoryId)],
);

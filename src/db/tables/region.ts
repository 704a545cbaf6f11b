import { text } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';

/** A country's catalogue with its currency and time zone. */
export const region = catalog.table('region', {
  region: text().primaryKey(),
  name: text().notNull(),
  currency: text().notNull(),
  timeZone: text().notNull(),
});

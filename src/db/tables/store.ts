import { text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';
import { storeColumns } from './store-columns.ts';

/**
 * A physical shop from the store locator, as the last refresh that saw it left it. Its older versions are in
 * `store_history`.
 */
export const store = catalog.table('store', {
  storeId: text().primaryKey(),
  ...storeColumns,
  firstSeenAt: instant().notNull(),
  /** Since when it is as it is now. */
  validFrom: instant().notNull().defaultNow(),
  /** First refresh that did not find so many at once that it is not believed alone; null: found. */
  missedSince: instant(),
  /** Refresh that found it gone; null: it is there. */
  goneAt: instant(),
});

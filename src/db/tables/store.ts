import { text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';
import { storeColumns } from './store-columns.ts';

/** A physical shop from the store locator, in its current version. Former versions are in `store_history`. */
export const store = catalog.table('store', {
  storeId: text().primaryKey(),
  ...storeColumns,
  firstSeenAt: instant().notNull(),
  /** Since when it is unchanged. */
  validFrom: instant().notNull().defaultNow(),
  /** First refresh that did not find it, if too many stores were missing at once to be believed; null: found. */
  missedSince: instant(),
  /** Refresh that found it gone; null while it exists. */
  goneAt: instant(),
});

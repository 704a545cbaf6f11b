import { boolean, doublePrecision, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** A physical shop from the store locator. */
export const store = catalog.table('store', {
  storeId: text().primaryKey(),
  displayName: text().notNull(),
  storeType: text(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
  address1: text(),
  address2: text(),
  city: text(),
  state: text(),
  postalCode: text(),
  country: text(),
  phone: text(),
  email: text(),
  timeZone: text(),
  isCurbsideEnabled: boolean(),
  firstSeenAt: instant().notNull(),
});

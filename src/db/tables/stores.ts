import { boolean, doublePrecision, text } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { ofRun } from './runs.ts';
import { catalog, ops } from './schemas.ts';

/** A physical shop from the store locator, in its current version. */
export const store = catalog.table('store', {
  storeId: text().primaryKey(),
  displayName: text().notNull(),
  storeType: text(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
  email: text(),
  isBopisable: boolean(),
  isRopisable: boolean(),
  isCurbsideEnabled: boolean(),
  isConciergeCurbsideEnabled: boolean(),
  isNoShowFeeApplicable: boolean(),
  isOnlineReservationEnabled: boolean(),
  isVirtual: boolean(),
  reservationSystem: text(),
  reservationUrl: text(),
  address1: text(),
  address2: text(),
  city: text(),
  country: text(),
  crossStreet: text(),
  fax: text(),
  mallName: text(),
  phone: text(),
  postalCode: text(),
  state: text(),
  closedDays: text(),
  textColor: text(),
  timeZone: text(),
  /** As printed, by weekday. */
  curbsideHours: text(),
  /** Hash of all fields: if it is equal, nothing has to be written. */
  recordHash: hash16(),
  firstSeenAt: instant().notNull(),
  /** Since when it is unchanged. */
  validFrom: instant().notNull().defaultNow(),
  /** First refresh that did not find it, if too many stores were missing at once to be believed; null: found. */
  missedSince: instant(),
  /** Refresh that found it gone; null while it exists. */
  goneAt: instant(),
});

/** The areas that a run of the kind `stores` searches. */
export const storeRefresh = ops.table('store_refresh', {
  runId: ofRun().primaryKey(),
  /** Boxes in the format of STORE_AREAS. */
  areas: text().notNull(),
});

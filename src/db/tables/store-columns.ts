import { boolean, doublePrecision, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';

/** What is kept of a store, in the order of the specification's section 2.1; the hours stand in `store_hours`. */
export const storeColumns = {
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
  /** Of all of it and the hours: equal hashes mean that there is nothing to write. */
  recordHash: hash16(),
};

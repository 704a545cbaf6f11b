import { boolean, doublePrecision, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';

/** Stored fields of a store, in the order of the specification's section 2.1; hours are in `store_hours`. */
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
  /** Hash of all fields and hours: if it is equal, nothing has to be written. */
  recordHash: hash16(),
};

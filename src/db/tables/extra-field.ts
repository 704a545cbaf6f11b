import { sql } from 'drizzle-orm';
import { date, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** How the values of each name of EXTRA_FIELDS are read; fixed while the name has values. */
export const extraField = derived.table('extra_field', {
  name: text().primaryKey(),
  type: text().notNull(),
  /** As in EXTRA_FIELDS. */
  written: text().notNull(),
});

/** Nights whose payloads were read for a field. */
export const extraNight = derived.table(
  'extra_night',
  {
    name: text().notNull(),
    region: text().notNull(),
    snapshotDate: date().notNull(),
    runId: integer().notNull(),
    /** Values that do not fit the type. */
    unfit: integer().notNull(),
    /** Why most of them do not. */
    reason: text(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate, t.name] })],
);

/** Values of extra fields as spells of nights. A field or product that a night does not have changes nothing. */
export const extraValue = derived.table(
  'extra_value',
  {
    productKey: integer().notNull(),
    name: text().notNull(),
    validFrom: date().notNull(),
    validTo: date(),
    /** In a form that casts to the type. */
    value: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.name, t.validFrom] }),
    uniqueIndex('extra_value_current').on(t.productKey, t.name).where(sql`valid_to is null`),
  ],
);

import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** `available` and `unavailable` products are listed; `absent` was not seen by one certified run, `delisted` by two in a row. */
export const availability = catalog.enum('availability', ['available', 'unavailable', 'absent', 'delisted']);

/** Whether a product could be bought, from when to when. */
export const availabilityHistory = catalog.table(
  'availability_history',
  {
    productKey: integer().notNull(),
    availability: availability().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    // What a night changed. No BRIN: rows that are closed move, and leave room to later ones anywhere in the table.
    index('availability_history_by_time').on(t.validFrom),
    check('availability_history_interval', sql`valid_to > valid_from`),
  ],
);

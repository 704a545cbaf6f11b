import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * `available` and `unavailable` products are listed; `absent`: not seen by one certified run; `delisted`: by two in a
 * row.
 */
export const availability = catalog.enum('availability', ['available', 'unavailable', 'absent', 'delisted']);

/**
 * Ended spells of availability. The current one is in `product_current`; both together are the view
 * `availability_spell`.
 */
export const availabilityHistory = catalog.table(
  'availability_history',
  {
    productKey: integer().notNull(),
    availability: availability().notNull(),
    validFrom: instant().notNull(),
    validTo: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    // For changes of a night.
    index('availability_history_by_time').on(t.validFrom),
    index('availability_history_by_end').using('brin', t.validTo),
    check('availability_history_interval', sql`valid_to > valid_from`),
  ],
);

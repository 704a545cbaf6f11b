import { bigint, date, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived, ops } from './schemas.ts';

const columns = () => ({
  region: text().notNull(),
  snapshotDate: date().notNull(),
  /** Change key: rises with every transaction that changes marts, in commit order. */
  changeSeq: bigint({ mode: 'number' }).notNull(),
  updatedAt: instant().notNull(),
  /**
   * Change key for open rows that began that night; also raised when a night of the region is rewritten, because ended
   * spells may reopen.
   */
  openSeq: bigint({ mode: 'number' }).notNull(),
  openUpdatedAt: instant().notNull(),
});

/** Last change of the marts of a published region-night. */
export const nightChange = ops.table('night_change', columns(), (t) => [
  primaryKey({ columns: [t.region, t.snapshotDate] }),
]);

/**
 * The same for derived data, which is written later in separate transactions. The row of the date -infinity records the
 * last deletion of derived data, of any night.
 */
export const derivedNightChange = derived.table('night_change', columns(), (t) => [
  primaryKey({ columns: [t.region, t.snapshotDate] }),
]);

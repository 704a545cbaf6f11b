import { bigint, date, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived, ops } from './schemas.ts';

const columns = () => ({
  region: text().notNull(),
  snapshotDate: date().notNull(),
  /** Rises with every transaction that changes what marts say, in the order in which they commit. */
  changeSeq: bigint({ mode: 'number' }).notNull(),
  updatedAt: instant().notNull(),
  /**
   * Of what began that night and is not over: also rises when any night of the region is written again, for what had
   * ended may go on.
   */
  openSeq: bigint({ mode: 'number' }).notNull(),
  openUpdatedAt: instant().notNull(),
});

/** When marts last came to say something else of a region-night that was published. */
export const nightChange = ops.table('night_change', columns(), (t) => [
  primaryKey({ columns: [t.region, t.snapshotDate] }),
]);

/**
 * Likewise of what is derived from it: that is written later, in transactions of its own. The row of the date -infinity
 * says when something derived was last forgotten, of whatever night.
 */
export const derivedNightChange = derived.table('night_change', columns(), (t) => [
  primaryKey({ columns: [t.region, t.snapshotDate] }),
]);

import { date, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A night that was due while no process ran. It is recorded and never crawled later. */
export const missedNight = ops.table(
  'missed_night',
  { region: text().notNull(), snapshotDate: date().notNull(), noticedAt: instant().notNull() },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);

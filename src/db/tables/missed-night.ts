import { date, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A night that was due while nothing ran. It is recorded, never filled in afterwards. */
export const missedNight = ops.table(
  'missed_night',
  { region: text().notNull(), snapshotDate: date().notNull(), noticedAt: instant().notNull() },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);

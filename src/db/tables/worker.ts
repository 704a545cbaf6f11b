import { integer, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A process that crawls. Leases count only while their worker is alive (by the database's clock). */
export const worker = ops.table('worker', {
  workerId: uuid().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  /** The command it is: `start`, `crawl`, `work`. Null: before this was kept. */
  command: text(),
  /** Print of the key it asks the groceries with (src/gateway/limits/key-print.ts). */
  key: text(),
  startedAt: instant().notNull(),
  aliveUntil: instant().notNull(),
});

import { integer, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A crawling process. Leases are valid only while their worker is alive (by the database's clock). */
export const worker = ops.table('worker', {
  workerId: uuid().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  /** Its command: `start`, `crawl` or `work`. */
  command: text().notNull(),
  /** Fingerprint of its grocery key (src/gateway/limits/key-print.ts). */
  key: text().notNull(),
  startedAt: instant().notNull(),
  aliveUntil: instant().notNull(),
});

import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { stage } from './schemas.ts';

/**
 * Keys reserved by a replay for products that are new to the shadow, so that every product keeps its key. An id that
 * was used again has several.
 */
export const stageReservedKey = stage.table(
  'reserved_key',
  { region: text().notNull(), productId: text().notNull(), productKey: integer().notNull() },
  (t) => [primaryKey({ columns: [t.region, t.productId, t.productKey] })],
);

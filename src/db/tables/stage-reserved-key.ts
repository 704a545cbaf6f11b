import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { stage } from './schemas.ts';

/**
 * Keys of products that are new to the catalogue and yet known: a replay fills it, so that every product keeps its key.
 */
export const stageReservedKey = stage.table(
  'reserved_key',
  { region: text().notNull(), productId: text().notNull(), productKey: integer().notNull() },
  (t) => [primaryKey({ columns: [t.region, t.productId] })],
);

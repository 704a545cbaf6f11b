import { integer, primaryKey } from 'drizzle-orm/pg-core';
import { promotionColumns } from './promotion.ts';
import { stage } from './schemas.ts';

/** Promotions of new and changed products in an unfinished run. */
export const stagePromotion = stage.table(
  'promotion',
  {
    runId: integer().notNull(),
    ...promotionColumns,
  },
  (t) => [primaryKey({ columns: [t.runId, t.promotionHash] })],
);

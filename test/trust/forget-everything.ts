import type { Askable } from '../../src/db/client.ts';

/** Leaves the database as a first night finds it. */
export async function forgetEverything(sql: Askable): Promise<void> {
  await sql.query(
    `truncate ops.run, ops.world, catalog.product, catalog.product_current, catalog.offer_history, catalog.price_history, catalog.availability_history, catalog.product_category,
       catalog.product_promotion, catalog.product_history, catalog.product_detail, catalog.product_nutrition, catalog.promotion,
       catalog.category, stage.listing, stage.category, stage.promotion, stage.detail, derived.night, derived.pack_size cascade`,
  );
}

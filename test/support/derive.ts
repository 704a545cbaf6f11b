import type { Database } from '../../src/db/client.ts';
import { renewCategoryAncestors } from '../../src/publish/category-ancestor.ts';
import { renewOffers } from '../../src/publish/offer-spells.ts';

/** What publication derives from the rows of a book, for a book whose rows were inserted by hand. */
export async function derive(db: Database): Promise<void> {
  await db.tx(async (tx) => {
    await renewCategoryAncestors(tx);
    await renewOffers(tx, `select product_key, '-infinity'::timestamptz as since from catalog.product`);
  });
}

import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { renewCategoryAncestors } from '../../src/publish/category-ancestor.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { writePromotionBook } from './promotion-book.ts';

const nightOf = (day: number) => `2026-01-${String(day).padStart(2, '0')}T03:00:00Z`;

describe('weeks of a category that is emptied', () => {
  const database = useDatabase();

  beforeAll(async () => {
    const { db } = database;
    const cases = [1, 2].map(() => ({ prices: '1:200', promotions: [], prior: 'not_enough_nights' }));
    const runs = Array.from({ length: 10 }, (_, n) => String(n + 1));
    await writePromotionBook(db, 'uk', cases, { runs, partial: [], firstKey: 1 });
    // On a Monday and on a Thursday.
    const emptiedOn = [5, 8];
    await insert(
      db,
      'catalog.category',
      emptiedOn.map((_, n) => ({
        category_key: n + 1,
        region: 'uk',
        category_id: `b;${n + 1}`,
        name: `Shelf ${n + 1}`,
        label: 'shelf',
        depth: 0,
        path: `Shelf ${n + 1}`,
        first_seen_at: nightOf(1),
      })),
    );
    await insert(
      db,
      'catalog.product_category',
      emptiedOn.map((day, n) => ({
        product_key: n + 1,
        category_key: n + 1,
        source: 'listing',
        valid_from: nightOf(1),
        valid_to: nightOf(day),
      })),
    );
    await db.tx((tx) => renewCategoryAncestors(tx));
    await deriveNights(db, 'uk');
  });

  it.each(['fct_promotion_calendar', 'fct_out_of_stock_rate'])(
    '%s counts nights with listed products only',
    async (mart) => {
      const { db } = database;
      const emptied = await rowsOf(db, 'select from marts.fct_category_daily where products_listed = 0');
      expect(emptied).toHaveLength(2);
      const weeks = await rowsOf(
        db,
        `select category_key, week_starts_on, nights, product_nights::int
         from marts.${mart}
         order by category_key, week_starts_on`,
      );
      expect(weeks.map((row) => Object.values(row))).toEqual([
        [1, '2025-12-29', 4, 4],
        [2, '2025-12-29', 4, 4],
        [2, '2026-01-05', 3, 3],
        [null, '2025-12-29', 4, 8],
        [null, '2026-01-05', 6, 12],
      ]);
    },
  );
});

import { expect, test } from 'vitest';
import { ownViewSources } from '../../src/db/apply-views.ts';
import { migrate } from '../../src/db/migrate.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { ViewsBlocked } from '../../src/errors.ts';
import { withDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { migrationsBefore } from '../support/migrations-before.ts';

const before = migrationsBefore('keep_open_rows_together');
const histories = ['price_history', 'availability_history', 'offer_history'];

test('a database of yesterday keeps its histories when open and closed rows are parted, and what others made on them stands in the way', () =>
  withDatabase(
    async ({ db }) => {
      await migrate(db, { migrationsFolder: before, views: { ...ownViewSources(), hash: 'of yesterday', version: 6 } });
      const spells = [
        { product_key: 2, valid_from: at(1), valid_to: at(3) },
        { product_key: 2, valid_from: at(3), valid_to: null },
        { product_key: 1, valid_from: at(1), valid_to: at(2) },
        { product_key: 1, valid_from: at(2), valid_to: at(5) },
      ];
      await insert(
        db,
        'catalog.price_history',
        spells.map((spell, i) => ({ ...spell, price_minor: 100 + i })),
      );
      await insert(
        db,
        'catalog.availability_history',
        spells.map((spell) => ({ ...spell, availability: 'available' })),
      );
      await insert(db, 'catalog.offer_history', spells);
      await db.query('create view public.mine as select * from marts.fct_price_change');

      const was = await readAll();
      await expect(migrate(db)).rejects.toThrow(ViewsBlocked);
      await expect(migrate(db)).rejects.toThrow(/public\.mine|view mine.*nothing was changed/);
      expect(await rowsOf(db, 'select * from marts.fct_price_change')).toEqual([]);
      await db.query('drop view public.mine');
      expect((await migrate(db)).hasNewViews).toBe(true);

      expect(await readAll()).toEqual(was);
      for (const history of histories) {
        expect(await rowsOf(db, `select product_key, valid_to from catalog.${history}_open`)).toEqual([
          { product_key: 2, valid_to: null },
        ]);
      }

      async function readAll() {
        return Promise.all(histories.map((name) => rowsOf(db, `select * from catalog.${name} order by 1, valid_from`)));
      }
    },
    { from: 'empty' },
  ));

test('a product cannot have two open rows in a history', () =>
  withDatabase(async ({ db }) => {
    const open = (from: string) => ({ product_key: 1, valid_from: from, valid_to: null });
    await insert(db, 'catalog.offer_history', [open(at(1))]);
    await expect(insert(db, 'catalog.offer_history', [open(at(2))])).rejects.toThrow(/offer_history_open_pk/);
  }));

function at(day: number): string {
  return `2026-03-0${day}T02:00:00Z`;
}

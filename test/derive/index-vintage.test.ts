import { beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { certifiedNights } from '../../src/followers/derive/certified-nights.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { useDatabase } from '../support/database.ts';
import { fillRandomBook } from './random-book.ts';

describe('marts.price_index_vintage', () => {
  const database = useDatabase();
  beforeAll(async () => {
    await fillRandomBook(database.db, { seed: 4, first: '2026-02-16', runs: 14, products: 40, packs: [] });
  });

  it('repeats what price_index showed after each night, and has a row per change only', async () => {
    const nights = await certifiedNights(database.db, 'uk');
    const published: { readonly at: Date; readonly rows: unknown[] }[] = [];
    for (const [n] of nights.entries()) {
      const at = new Date(Date.UTC(2026, 4, 1 + n, 4));
      await deriveOne({ now: () => at } as Clock);
      published.push({ at, rows: await shown() });
    }
    for (const { at, rows } of published) expect(await shownAt(at)).toEqual(rows);

    // Computed again from the middle, the values are the same, so nothing is published.
    const before = await database.db.query('select * from derived.price_index_vintage');
    await database.db.tx((tx) => forgetDerived(tx, 'uk', nights[5]!.snapshotDate));
    await deriveNights(database.db, 'uk');
    const after = await database.db.query('select * from derived.price_index_vintage');
    expect(after.rows.length).toBe(before.rows.length);
  });

  async function deriveOne(clock: Clock): Promise<void> {
    const one = new AbortController();
    const options = { clock, nightsAtOnce: 1, signal: one.signal, onDerived: () => one.abort() };
    await expect(deriveNights(database.db, 'uk', options)).rejects.toThrow();
  }

  const columns = 'category_key, period, period_start, price_basis, base_start, round(value, 6)::text as value';

  const shown = () =>
    rowsOf(
      database.db,
      `select ${columns} from marts.price_index
       where method = 'geks_jevons'
         and (category_key is null or category_key in (select category_key from marts.dim_category where depth = 0))
       order by 1, 2, 3, 4`,
    );

  const shownAt = (at: Date) =>
    rowsOf(
      database.db,
      `select ${columns} from marts.price_index_vintage
       where published_at <= $1 and (superseded_at is null or superseded_at > $1)
       order by 1, 2, 3, 4`,
      [at],
    );
});

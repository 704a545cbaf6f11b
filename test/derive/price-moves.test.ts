import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { certifiedNights } from '../../src/followers/derive/owed-nights.ts';
import { useDatabase } from '../support/database.ts';
import { fillRandomBook } from './random-book.ts';

interface Move {
  readonly product_key: number;
  readonly old_price: string;
  readonly new_price: string;
}

/** With partial nights, nights crawled twice, products that leave, return and lose their price. */
describe('the moves of prices between two nights', () => {
  const database = useDatabase();
  let dates: readonly string[];
  beforeAll(async () => {
    await fillRandomBook(database.db, { seed: 21, first: '2026-02-16', runs: 60, products: 60 });
    await deriveNights(database.db, 'uk');
    dates = (await certifiedNights(database.db, 'uk')).map(({ snapshotDate }) => snapshotDate);
  });

  const movesBetween = (since: string, until: string, more = ''): Promise<Move[]> =>
    rowsOf(
      database.db,
      `select product_key, (old_minor * 0.01)::numeric(12, 2) as old_price,
         (new_minor * 0.01)::numeric(12, 2) as new_price
       from marts.moved_prices('uk', $1, $2${more})`,
      [since, until],
    );

  /** Computed from all rows of both nights. */
  const truth = (since: string, until: string, price = (night: string) => `${night}.price`): Promise<Move[]> =>
    rowsOf(
      database.db,
      `select later.product_key, ${price('earlier')} as old_price, ${price('later')} as new_price
       from marts.fct_price_daily later
       join marts.fct_price_daily earlier using (product_key)
       where later.region = 'uk' and later.snapshot_date = $2 and earlier.region = 'uk' and earlier.snapshot_date = $1
         and earlier.price > 0 and later.price > 0 and ${price('earlier')} <> ${price('later')}`,
      [since, until],
    );

  const sorted = (moves: readonly Move[]) =>
    moves.map(({ product_key, old_price, new_price }) => `${product_key} ${old_price} ${new_price}`).sort();

  it('moves between two nights are the products with different prices, whatever happened between', async () => {
    const last = dates.at(-1)!;
    const pairs = dates.flatMap((since, i) => dates.slice(i + 1).map((until) => [since, until] as const));
    // All that end with the last night, some of which are put together already, and some of the others.
    const tried = pairs.filter(([, until], i) => until === last || i % 23 === 0);
    let found = 0;
    for (const [since, until] of tried) {
      const moves = await movesBetween(since, until);
      expect([since, until, sorted(moves)]).toEqual([since, until, sorted(await truth(since, until))]);
      found += moves.length;
    }
    expect(found).toBeGreaterThan(1_000);
  });

  it('moves with arrivals have the products without a price on the first night, too', async () => {
    const until = dates.at(-1)!;
    const kept = await rowsOf<{ since: string }>(database.db, 'select distinct since from derived.price_move');
    const priced = `select product_key from marts.fct_price_daily where region = 'uk' and price > 0 and snapshot_date`;
    for (const since of [dates[3]!, ...kept.map((move) => move.since)]) {
      const moves = await movesBetween(since, until, ', with_arrivals => true');
      const arrived = moves.filter(({ old_price }) => old_price === null).map(({ product_key }) => product_key);
      const expected = await rowsOf<Move>(database.db, `${priced} = $2 except ${priced} = $1`, [since, until]);
      expect(new Set(arrived)).toEqual(new Set(expected.map(({ product_key }) => product_key)));
      expect(arrived.length).toBeGreaterThan(2);
    }
  });

  it('moves of what members pay compare their price, where there is one, with that of the shelf', async () => {
    const paid = (night: string) => `coalesce(${night}.loyalty_price, ${night}.price)`;
    let found = 0;
    for (const [since, until] of [
      [dates[3]!, dates[20]!],
      [dates[0]!, dates.at(-1)!],
      [dates.at(-9)!, dates.at(-1)!],
      [dates.at(-2)!, dates.at(-1)!],
    ] as const) {
      const moves = await movesBetween(since, until, ", price_basis => 'member'");
      expect([since, until, sorted(moves)]).toEqual([since, until, sorted(await truth(since, until, paid))]);
      found += moves.length;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('moves exclude nights that are no longer certified, and include them again later', async () => {
    const last = dates.at(-1)!;
    await database.db.query(`update ops.run set verdict = 'partial' where snapshot_date = $1`, [last]);
    await deriveNights(database.db, 'uk');
    const before = dates.at(-2)!;
    expect(sorted(await movesBetween(dates.at(-9)!, before))).toEqual(sorted(await truth(dates.at(-9)!, before)));
    const kept = await rowsOf(database.db, 'select distinct until from derived.price_move');
    expect(kept).toEqual([{ until: before }]);
    await database.db.query(`update ops.run set verdict = 'complete' where snapshot_date = $1`, [last]);
    await deriveNights(database.db, 'uk');
    expect(sorted(await movesBetween(dates.at(-9)!, last))).toEqual(sorted(await truth(dates.at(-9)!, last)));
  });
});
